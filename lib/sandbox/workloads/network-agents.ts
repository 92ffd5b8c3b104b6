import { type KubeObject, podOf, type ReadPodSpec, workloadOf } from '#lib/kube/index.ts';
import { names, otherNetworkOf } from '#lib/spec/index.ts';

const runsCalico = (spec: ReadPodSpec): boolean => spec.containers.some(({ name }) => name === names.nodeContainer);

/** Whether a DaemonSet brings a network to its nodes: Calico's agent, or another product's. */
export function connectsPods(object: KubeObject): boolean {
  if (object.kind !== 'DaemonSet') return false;
  const { name = '', namespace = null } = object.metadata;
  return otherNetworkOf({ name, namespace }) !== null || runsCalico(workloadOf(object).spec.template.spec);
}

/** The node of a pod of such a DaemonSet. Null: another kind of pod, or a pod without a node. */
export function agentNode(object: KubeObject): string | null {
  const owner = object.metadata.ownerReferences?.find(({ kind }) => kind === 'DaemonSet');
  if (!owner) return null;
  const { spec } = podOf(object);
  const connects = otherNetworkOf({ name: owner.name, namespace: object.metadata.namespace ?? null }) !== null;
  return connects || runsCalico(spec) ? spec.nodeName : null;
}
