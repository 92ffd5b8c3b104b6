import type { Condition } from '#lib/plan/index.ts';
import type { ConditionContext } from './context.ts';
import type { Progress } from './progress.ts';

/** What only the administrator can do is done when the check says so (operations.md › `proxy.instructions`). */
export function checkPasses(
  { check }: Extract<Condition, { kind: 'check-passes' }>,
  { recheck }: ConditionContext,
): Promise<Progress> {
  return recheck(check);
}
