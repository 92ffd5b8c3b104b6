/** A run whose journal cannot be read is not known to have ended. */
export function hasEnded(state: { kind: string; ended?: boolean }): boolean {
  return state.ended === true || ['done', 'undone', 'stopped', 'failed'].includes(state.kind);
}

/** Whether nobody saw the effect of a step that is over: it stayed unknown, or was accepted. `outcome`: of a finished step, null before. */
export function isUnverified(outcome: string | null): boolean {
  return outcome === 'unknown' || outcome === 'acknowledged';
}

/** The code of a pause that the plan asked for: a release on the way is reached. */
export const plannedPause = 'release.reached';

/** Whether a pause was wanted, by a request or by the plan: nothing is wrong then, and no step has failed. */
export function isWantedPause(code: string): boolean {
  return code === 'asked' || code === plannedPause;
}
