import type { Condition } from '#lib/plan/index.ts';
import type { ConditionContext } from './context.ts';
import type { Progress } from './progress.ts';

/** A check passes: how a step shows that only the administrator can carry out (operations.md › `proxy.instructions`). */
export function checkPasses(
  { check }: Extract<Condition, { kind: 'check-passes' }>,
  { recheck }: ConditionContext,
): Promise<Progress> {
  return recheck(check);
}
