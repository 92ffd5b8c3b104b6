import type { CompactStep } from '#components/track/compact-track-layout.ts';
import { isNeeded, type PlannedOperation, touchesTraffic } from '#lib/plan/index.ts';

/** A plan as a line of track: every step under its number, what is done already as done. Pure. */
export function trackOfPlan(operations: readonly PlannedOperation[]): CompactStep[] {
  return operations.map((operation) => ({
    seq: operation.seq,
    id: operation.id,
    title: operation.title,
    traffic: touchesTraffic(operation),
    ...(isNeeded(operation) ? { seconds: operation.usualSeconds } : { seconds: null, state: 'behind' as const }),
  }));
}
