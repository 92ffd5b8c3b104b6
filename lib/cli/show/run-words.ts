import type { LeaseHolder, RunSummary, ShownRun } from '#lib/run/index.ts';

/** The same in a list: a journal that this installation did not write is a claim, and of what has ended it is said how much nobody saw. */
export function shownRunWords(run: ShownRun, holder: LeaseHolder): string {
  const { foreign, state, unverified } = run;
  const isOver = state.kind === 'done' || state.kind === 'undone';
  const doubt = foreign !== null ? ', not verified' : isOver && unverified > 0 ? `, ${unverified} not verified` : '';
  return `${runWords(run, holder)}${doubt}`;
}

/** A run's state as people say it: which way it goes, and whether anybody carries it. */
function runWords({ state }: RunSummary, holder: LeaseHolder): string {
  if (state.kind === 'paused') return state.direction === 'undo' ? 'paused on the way back' : 'paused';
  if (state.kind !== 'running') return state.kind;
  const words = state.direction === 'undo' ? 'being undone' : 'running';
  return holder.alive ? words : `${words}, but no process executes it: resume it`;
}
