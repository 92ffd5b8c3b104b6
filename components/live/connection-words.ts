import type { State } from '#components/ui/state-mark.tsx';
import { ago } from '#components/ui/time/ago.ts';
import { duration, thousands } from '#lib/base/words.ts';
import type { Connection } from '#lib/console/wire.ts';

/** The source of the console's data. */
export type LiveSource = 'cluster' | 'flows';
const away: Readonly<Record<LiveSource, { readonly words: string; readonly detail: string }>> = {
  cluster: { words: 'cluster away', detail: 'The cluster’s API server does not answer. ' },
  // The message has the reason; the aggregator may be unreachable while the API server answers.
  flows: { words: 'no flows', detail: '' },
};

export type ConnectionWords = { state: State; words: string; detail: string | null };

/**
 * How fresh the page is, in a few words. The browser's network, the console and the cluster's API server can each be unreachable (reference › ui.md D3). `stale`:
 * the view's. `nowMs`: `Date.now()`.
 */
export function connectionWords(
  connection: Connection,
  stale: { since: string; message: string } | null,
  nowMs: number,
  from: LiveSource = 'cluster',
): ConnectionWords {
  switch (connection.kind) {
    case 'stopped':
      return { state: 'bad', words: 'not live', detail: connection.problem.message };
    case 'paused':
      return {
        state: 'idle',
        words: connection.unseen === 0 ? 'updates paused' : `updates paused · ${thousands(connection.unseen)} new`,
        detail: null,
      };
    case 'connecting':
      return { state: 'idle', words: 'connecting', detail: null };
    case 'reconnecting':
      return reconnecting(connection, nowMs);
    case 'lagging':
      return {
        state: 'warn',
        words: `quiet · ${ago(connection.since, nowMs)}`,
        detail: 'The console sends something every 10 s; the last of it is older.',
      };
    case 'live':
      if (stale)
        return {
          state: 'warn',
          words: `${away[from].words} · ${ago(Date.parse(stale.since), nowMs)}`,
          detail: `${away[from].detail}${stale.message}`,
        };
      return { state: 'ok', words: `live · ${ago(connection.since, nowMs)}`, detail: null };
  }
}

function reconnecting({ attempt, at, offline }: Extract<Connection, { kind: 'reconnecting' }>, nowMs: number) {
  const seconds = Math.ceil((at - nowMs) / 1000);
  const when = seconds > 0 ? `in ${duration(seconds)}` : 'now';
  return {
    state: 'warn',
    words: offline ? 'browser offline' : `reconnecting ${when} (attempt ${attempt})`,
    detail: offline
      ? 'This browser has no network. What is shown is from before.'
      : 'The console does not answer. What is shown is from before.',
  } as const;
}
