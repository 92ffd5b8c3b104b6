import { backOffMs } from '#lib/base/async/back-off.ts';

/**
 * The state of the connection between this page and the console, including what it waits for. Times are ms of `Date.now()`. Pure; `live-stream.ts` opens and
 * closes connections by it.
 */
export type LinkState =
  /** No connection, because nothing subscribes or the page is hidden. */
  | { kind: 'idle'; why: 'nobody' | 'hidden' }
  | { kind: 'connecting'; since: number; attempt: number }
  /** `heardAt`: when the last bytes arrived. */
  | { kind: 'live'; heardAt: number }
  | { kind: 'lagging'; heardAt: number }
  | { kind: 'waiting'; attempt: number; at: number; offline: boolean }
  | { kind: 'stopped'; problem: { code: string; message: string } };

export type LinkEvent =
  | { kind: 'wanted' | 'unwanted' | 'hidden' | 'shown' | 'online' }
  /** Bytes arrived. */
  | { kind: 'heard' }
  /** The connection ended or could not be made. */
  | { kind: 'failed'; offline: boolean }
  /** A failure that a retry would not fix. */
  | { kind: 'refused'; problem: { code: string; message: string } }
  /** The time of `alarmOf` has come. */
  | { kind: 'alarm' };

/** A connection that is silent for so long is lagging; the server sends something every 10 s (architecture.md › Streams). */
export const quietMs = 15_000;
export const deadMs = 25_000;
const pace = { firstMs: 1_000, mostMs: 30_000 };

export function nextLink(state: LinkState, event: LinkEvent, now: number, random: () => number): LinkState {
  const connect = (attempt = 0): LinkState => ({ kind: 'connecting', since: now, attempt });
  const wait = (attempt: number, offline: boolean): LinkState => {
    // Random, so that pages do not all return to a restarted console at the same time.
    return { kind: 'waiting', attempt: attempt + 1, at: now + backOffMs(attempt, pace, random), offline };
  };
  switch (event.kind) {
    case 'unwanted':
      return state.kind === 'stopped' ? state : { kind: 'idle', why: 'nobody' };
    case 'hidden':
      return state.kind === 'stopped' || state.kind === 'idle' ? state : { kind: 'idle', why: 'hidden' };
    case 'wanted':
      return state.kind === 'idle' && state.why === 'nobody' ? connect() : state;
    case 'shown':
      if (state.kind === 'idle' && state.why === 'hidden') return connect();
      return state.kind === 'waiting' ? connect(state.attempt) : state;
    case 'online':
      return state.kind === 'waiting' ? connect(state.attempt) : state;
    case 'heard':
      return isOpen(state) ? { kind: 'live', heardAt: now } : state;
    case 'failed':
      return isOpen(state) ? wait(state.kind === 'connecting' ? state.attempt : 0, event.offline) : state;
    case 'refused':
      return isOpen(state) ? { kind: 'stopped', problem: event.problem } : state;
    case 'alarm':
      if (state.kind === 'waiting') return connect(state.attempt);
      if (state.kind === 'live') return { kind: 'lagging', heardAt: state.heardAt };
      return state.kind === 'lagging' || state.kind === 'connecting'
        ? wait(state.kind === 'connecting' ? state.attempt : 0, false)
        : state;
  }
}

/** Whether a connection is open or being opened. */
export function isOpen(state: LinkState): state is Extract<LinkState, { kind: 'connecting' | 'live' | 'lagging' }> {
  return state.kind === 'connecting' || state.kind === 'live' || state.kind === 'lagging';
}

/** The time at which a state ends by itself; null: it does not. */
export function alarmOf(state: LinkState): number | null {
  switch (state.kind) {
    case 'connecting':
      return state.since + deadMs;
    case 'live':
      return state.heardAt + quietMs;
    case 'lagging':
      return state.heardAt + deadMs;
    case 'waiting':
      return state.at;
    case 'idle':
    case 'stopped':
      return null;
  }
}
