import { sidecarOf, versionOfImage } from '#lib/facts/index.ts';
import { podHasEnded, podOf } from '#lib/kube/index.ts';
import type { Condition } from '#lib/plan/index.ts';
import { objectId } from '#lib/spec/index.ts';
import type { ConditionContext } from './context.ts';
import { met, type Progress, waiting } from './progress.ts';
import { rolledOut } from './rolled-out.ts';
import { podsOf } from './rollout.ts';

/** The workload has rolled out, and each of its pods has the sidecar of this release. Pods are looked at one by one, since an injector that has not read its new template yet adds the old sidecar. */
export async function sidecarsReplaced(
  { target, version }: Extract<Condition, { kind: 'sidecars' }>,
  context: ConditionContext,
): Promise<Progress> {
  const rolled = await rolledOut({ kind: 'rollout', target }, context);
  const { kube, signal } = context;
  const object = rolled.kind === 'met' ? await kube.get(target, { signal }) : null;
  if (object === null) return rolled;
  for (const pod of await podsOf(kube, object, signal)) {
    // An evicted pod of the earlier rollout stays in the list with its old sidecar.
    if (pod.metadata.deletionTimestamp || podHasEnded(pod)) continue;
    const image = sidecarOf(podOf(pod).spec)?.image;
    if (image === undefined || versionOfImage(image) !== version)
      return waiting(
        `${objectId(target)} to carry sidecars of ${version}: pod ${pod.metadata.name} carries ${image ?? 'none'}`,
      );
  }
  return met([{ object: objectId(target), path: 'spec.containers[dikastes].image', value: version }]);
}
