import type { LeaseHolder, RunSummary } from '#lib/run/index.ts';

/** A run's state as people say it: which way it goes, and whether anybody carries it. */
export function runWords({ state }: RunSummary, holder: LeaseHolder): string {
  if (state.kind === 'paused') return state.direction === 'undo' ? 'paused on the way back' : 'paused';
  if (state.kind !== 'running') return state.kind;
  const words = state.direction === 'undo' ? 'being taken back' : 'running';
  return holder.alive ? words : `${words}, but nobody carries it: resume it`;
}
