import type { Condition } from '#lib/plan/index.ts';
import { objectId } from '#lib/spec/index.ts';
import type { ConditionContext } from './context.ts';
import { met, type Progress, waiting } from './progress.ts';
import { rollingOut } from './rolling-out.ts';
import { rolloutOf } from './rollout.ts';

/** The workload's controller has seen its generation, and every pod is updated and available. */
export async function rolledOut(
  { target }: Extract<Condition, { kind: 'rollout' }>,
  { kube, signal }: ConditionContext,
): Promise<Progress> {
  const object = await kube.get(target, { signal });
  const id = objectId(target);
  if (!object) return waiting(`${id} to exist`);
  const rolling = await rollingOut(object, { kube, signal });
  return rolling ?? met([{ object: id, path: 'status', value: rolloutOf(object).words }]);
}
