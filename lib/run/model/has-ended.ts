/** A run whose journal cannot be read counts as unfinished. */
export function hasEnded(state: { kind: string; ended?: boolean }): boolean {
  return state.ended === true || ['done', 'undone', 'stopped', 'failed'].includes(state.kind);
}

/** Whether a run has ended and can still be undone: also one that ended half-way, since its steps that were done are known. */
export function canStillBeUndone(state: { kind: string }): boolean {
  return ['done', 'stopped', 'failed'].includes(state.kind);
}

/** Whether the effect of a finished step was never seen: it stayed unknown or was accepted. `outcome`: of a finished step, null before. */
export function isUnverified(outcome: string | null): boolean {
  return outcome === 'unknown' || outcome === 'acknowledged';
}

/** The code of a planned pause: a release in between is reached. */
export const plannedPause = 'release.reached';

/** Whether a pause was wanted, by a request or by the plan: nothing is wrong, and no step has failed. */
export function isWantedPause(code: string): boolean {
  return code === 'asked' || code === plannedPause;
}
