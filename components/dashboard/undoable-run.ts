import type { RunSummary } from '#lib/run/index.ts';

/** The newest run that is not taken back yet, if it can be: later runs rest on earlier ones, so that only the newest comes into question. Newest first. */
export function undoableRun(runs: readonly RunSummary[]): RunSummary | null {
  const newest = runs.find(({ state }) => state.kind !== 'undone');
  const canBeTakenBack = newest !== undefined && ['done', 'stopped', 'failed'].includes(newest.state.kind);
  return canBeTakenBack ? newest : null;
}
