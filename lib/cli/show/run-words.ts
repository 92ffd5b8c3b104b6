import type { LeaseHolder, RunSummary, ShownRun } from '#lib/run/index.ts';

/**
 * The state of a run for a list. A foreign journal is marked as a claim, and an ended run has its number of unverified steps. `holder`: null if it could not
 * be read.
 */
export function shownRunWords(run: ShownRun, holder: LeaseHolder | null): string {
  const { foreign, state, unverified } = run;
  const isOver = state.kind === 'done' || state.kind === 'undone';
  const doubt = foreign !== null ? ', not verified' : isOver && unverified > 0 ? `, ${unverified} not verified` : '';
  return `${runWords(run, holder)}${doubt}`;
}

/** A run's state in words: its direction, and whether a process carries it. */
function runWords({ state }: RunSummary, holder: LeaseHolder | null): string {
  if (state.kind === 'paused') return state.direction === 'undo' ? 'paused on the way back' : 'paused';
  if (state.kind !== 'running') return state.kind;
  const words = state.direction === 'undo' ? 'being undone' : 'running';
  if (holder === null) return `${words}, its process not verified`;
  return holder.alive ? words : `${words}, but no process executes it: resume it`;
}
