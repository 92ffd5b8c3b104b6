import type { Condition } from '#lib/plan/index.ts';
import { objectId } from '#lib/spec/index.ts';
import { met, type Progress, waiting } from '../progress.ts';
import { heldUp, rolloutAwaited, rolloutOf } from '../rollout.ts';
import type { ConditionContext } from './context.ts';

/** Generation observed, all updated and available. */
export async function rolledOut(
  { target }: Extract<Condition, { kind: 'rollout' }>,
  { kube, signal }: ConditionContext,
): Promise<Progress> {
  const object = await kube.get(target, { signal });
  const id = objectId(target);
  if (!object) return waiting(`${id} to exist`);
  const rollout = rolloutOf(object);
  if (rollout.complete) return met([{ object: id, path: 'status', value: rollout.words }]);
  const held = await heldUp(kube, object, signal);
  return {
    kind: 'waiting',
    awaiting: rolloutAwaited(object, rollout),
    ...held,
    done: rollout.updated,
    total: rollout.desired,
  };
}
