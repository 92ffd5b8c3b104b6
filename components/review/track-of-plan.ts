import type { CompactStep } from '#components/track/compact-track-layout.ts';
import { isNeeded, type PlannedOperation, touchesTraffic } from '#lib/plan/index.ts';

/** A plan as a line of track: each step with its number; steps that are done already are marked. Pure. */
export function trackOfPlan(operations: readonly PlannedOperation[]): CompactStep[] {
  return operations.map((operation) => ({
    seq: operation.seq,
    id: operation.id,
    title: operation.title,
    traffic: touchesTraffic(operation),
    ...(isNeeded(operation) ? { seconds: operation.usualSeconds } : { seconds: null, state: 'behind' as const }),
  }));
}
