import type { FlowChanges } from '#lib/console/host.ts';

/** Only checks that it is our server's answer, because both sides are of one build. */
export function isFlowChanges(value: unknown): value is FlowChanges {
  return typeof value === 'object' && value !== null && 'changes' in value && 'runs' in value;
}
