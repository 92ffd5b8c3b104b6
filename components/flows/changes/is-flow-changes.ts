import type { FlowChanges } from '#lib/console/host.ts';

/** Both sides are of one build: that it is our server's answer at all is enough. */
export function isFlowChanges(told: unknown): told is FlowChanges {
  return typeof told === 'object' && told !== null && 'changes' in told && 'runs' in told;
}
