/** A run whose journal cannot be read is not known to have ended. */
export function hasEnded(state: { kind: string; ended?: boolean }): boolean {
  return state.ended === true || ['done', 'undone', 'stopped', 'failed'].includes(state.kind);
}

/** Whether nobody saw the effect of a step that is over: it stayed unknown, or was accepted. `outcome`: of a finished step, null before. */
export function isUnverified(outcome: string | null): boolean {
  return outcome === 'unknown' || outcome === 'acknowledged';
}
