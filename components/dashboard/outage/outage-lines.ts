import type { RunView } from '#lib/console/wire.ts';
import type { ShownRun } from '#lib/run/index.ts';
import type { LastChange } from '#lib/status/index.ts';

/**
 * One line of *How it came to this*. `at`: RFC 3339; null if no time is recorded. `came`: how far the step came; one that was begun failed, or its process died or
 * is still at it. `claimed`: by the journal of a run that is not ours.
 */
export type OutageLine = { at: string | null } & (
  | { kind: 'change'; change: LastChange }
  | { kind: 'run'; run: ShownRun }
  | { kind: 'step'; title: string; came: 'done' | 'begun' | 'undone' | 'undoing'; claimed: boolean }
);

/**
 * The events before an outage, oldest first: the last runs, their steps that touched traffic, and who set the fields that decide about Services. Lines without a
 * time come last. Pure.
 */
export function outageLines(
  runs: readonly { shown: ShownRun; steps: RunView['operations'] }[],
  changes: readonly LastChange[],
): OutageLine[] {
  const lines: OutageLine[] = changes.map((change) => ({ at: change.at, kind: 'change', change }));
  for (const { shown, steps } of runs) {
    const claimed = shown.foreign !== null;
    lines.push({ at: timeOrNull(shown.startedAt), kind: 'run', run: shown });
    for (const { effect, state, title, begunAt, finishedAt } of steps) {
      // A run may be paused at a step that it has not begun.
      const at = finishedAt ?? begunAt;
      if (effect !== 'traffic' || at === null) continue;
      const forward = finishedAt === null ? 'begun' : 'done';
      const came = state === 'undone' || state === 'undoing' ? state : forward;
      lines.push({ at: timeOrNull(at), kind: 'step', title, came, claimed });
    }
  }
  const time = ({ at }: OutageLine) => (at === null ? Number.POSITIVE_INFINITY : Date.parse(at));
  return lines.toSorted((a, b) => (time(a) === time(b) ? 0 : time(a) - time(b)));
}

/** A time of a journal, which anybody may have written; null for text that is no time. */
function timeOrNull(text: string): string | null {
  return Number.isNaN(Date.parse(text)) ? null : text;
}
