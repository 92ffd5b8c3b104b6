import type { RunView } from '#lib/console/wire.ts';
import type { ShownRun } from '#lib/run/index.ts';
import type { LastChange } from '#lib/status/index.ts';

/** One line of *How it came to this*. `at`: null where nothing keeps the time. */
export type LedHere = { at: string | null } & (
  | { kind: 'change'; change: LastChange }
  | { kind: 'run'; run: ShownRun }
  | { kind: 'step'; title: string; undone: boolean }
);

/**
 * What is known of the way into an outage, oldest first: the run that may have led there, its steps that touched traffic, and who set what decides about
 * Services. Lines without a time come last. Pure.
 */
export function ledHere(
  run: { shown: ShownRun; steps: RunView['operations'] } | null,
  changes: readonly LastChange[],
): LedHere[] {
  const lines: LedHere[] = changes.map((change) => ({ at: change.at, kind: 'change', change }));
  if (run !== null) {
    lines.push({ at: run.shown.startedAt, kind: 'run', run: run.shown });
    for (const { effect, state, title, finishedAt } of run.steps)
      if (effect === 'traffic' && finishedAt !== null && (state === 'finished' || state === 'undone'))
        lines.push({ at: finishedAt, kind: 'step', title, undone: state === 'undone' });
  }
  const time = ({ at }: LedHere) => (at === null ? Number.POSITIVE_INFINITY : Date.parse(at));
  return lines.toSorted((a, b) => (time(a) === time(b) ? 0 : time(a) - time(b)));
}
