import { z } from 'zod';
import type { KubeObject } from '#lib/kube/index.ts';
import { names, otherNetworkOf } from '#lib/spec/index.ts';

const containers = z.looseObject({ containers: z.array(z.looseObject({ name: z.string() })).default([]) });
const daemonSet = z.looseObject({ spec: z.looseObject({ template: z.looseObject({ spec: containers }) }) });
const pod = z.looseObject({ spec: containers.extend({ nodeName: z.string().optional() }) });

const runsCalico = (spec: z.infer<typeof containers>): boolean =>
  spec.containers.some(({ name }) => name === names.nodeContainer);

/** Whether a DaemonSet brings a network to its nodes: Calico's agent, or another product's. */
export function connectsPods(object: KubeObject): boolean {
  if (object.kind !== 'DaemonSet') return false;
  const { name = '', namespace = null } = object.metadata;
  return otherNetworkOf({ name, namespace }) !== null || runsCalico(daemonSet.parse(object).spec.template.spec);
}

/** The node on which a pod of such a DaemonSet is; null for every other pod, and for one that is nowhere yet. */
export function agentNode(object: KubeObject): string | null {
  const owner = object.metadata.ownerReferences?.find(({ kind }) => kind === 'DaemonSet');
  if (!owner) return null;
  const { spec } = pod.parse(object);
  const connects = otherNetworkOf({ name: owner.name, namespace: object.metadata.namespace ?? null }) !== null;
  return connects || runsCalico(spec) ? (spec.nodeName ?? null) : null;
}
