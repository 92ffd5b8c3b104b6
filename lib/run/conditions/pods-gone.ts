import { podState } from '#lib/kube/index.ts';
import type { Condition } from '#lib/plan/index.ts';
import { objectId } from '#lib/spec/index.ts';
import type { ConditionContext } from './context.ts';
import { met, type Progress } from './progress.ts';
import { podsOf, rolloutOf } from './rollout.ts';

/** The DaemonSet wants no pod, and none is left. Met also where there is no such DaemonSet. */
export async function podsGone(
  { target }: Extract<Condition, { kind: 'no-pods' }>,
  { kube, signal }: ConditionContext,
): Promise<Progress> {
  const object = await kube.get(target, { signal });
  const id = objectId(target);
  if (!object) return met([], `${id} is gone`);
  const { desired, complete } = rolloutOf(object);
  const pods = await podsOf(kube, object, signal);
  if (complete && desired === 0 && pods.length === 0)
    return met([{ object: id, path: 'status.desiredNumberScheduled', value: 0 }]);
  const subjects = pods.slice(0, 20).map((pod) => {
    const { node, name, namespace } = podState(pod);
    return { kind: 'Pod', namespace, name, detail: node ? `still on ${node}` : 'still there' };
  });
  return { kind: 'waiting', awaiting: `every pod of ${id} to be gone: ${pods.length} left`, heldUpBy: subjects };
}
