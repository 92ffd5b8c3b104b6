import type { FlowChanges } from '#lib/console/host.ts';

/** Only checks that it is our server's answer, because both sides are of one build. */
export function isFlowChanges(told: unknown): told is FlowChanges {
  return typeof told === 'object' && told !== null && 'changes' in told && 'runs' in told;
}
