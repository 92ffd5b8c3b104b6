/** A run whose journal cannot be read is not known to have ended. */
export function hasEnded(state: { kind: string; ended?: boolean }): boolean {
  return state.ended === true || ['done', 'undone', 'stopped', 'failed'].includes(state.kind);
}
