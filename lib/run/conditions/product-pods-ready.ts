import { counted, thousands } from '#lib/base/words.ts';
import { isKubeError, type KubeObject, podHasEnded, podState } from '#lib/kube/index.ts';
import { calicoNamespaces, resources } from '#lib/spec/index.ts';
import type { ConditionContext } from './context.ts';
import { met, type Progress } from './progress.ts';
import { wherePresent } from './where-present.ts';

/**
 * Every pod in Calico's namespaces runs and is ready (spec › Readiness indications). Pods that have ended do not count: an evicted pod, or one of a
 * node that was shut down, stays in the list for days after its workload has made another.
 */
export async function productPodsReady(_condition: unknown, context: ConditionContext): Promise<Progress> {
  const pods: KubeObject[] = [];
  for (const namespace of calicoNamespaces) {
    try {
      pods.push(...(await wherePresent(context, namespace, () => podsIn(context, namespace), [])));
    } catch (error) {
      if (isKubeError(error, 'forbidden')) return { kind: 'unknown', because: error.message, subjects: [] };
      throw error;
    }
  }
  const unready = pods
    .map((pod) => podState(pod))
    .filter((pod) => !pod.ready && pod.object.metadata.deletionTimestamp === undefined);
  if (unready.length === 0)
    return met([
      { object: calicoNamespaces.join(', '), path: 'pods ready', value: `${pods.length} of ${pods.length}` },
    ]);
  return {
    kind: 'waiting',
    awaiting: `${thousands(unready.length)} of ${counted(pods.length, 'pod')} of the product to be ready`,
    heldUpBy: unready.slice(0, 20).map((pod) => ({
      kind: 'Pod',
      namespace: pod.namespace,
      name: pod.name,
      detail: `${pod.words}${pod.node ? ` on ${pod.node}` : ''}`,
    })),
  };
}

async function podsIn({ kube, signal }: ConditionContext, namespace: string): Promise<KubeObject[]> {
  const pods: KubeObject[] = [];
  for await (const page of kube.list(resources.pods, { namespace, signal }))
    pods.push(...page.items.filter((pod) => !podHasEnded(pod)));
  return pods;
}
