import { clusterContents } from '#e2e/journey/index.ts';
import type { Kube, KubeObject } from '#lib/kube/index.ts';

/**
 * All objects of all kinds, for comparisons. Two effects of real controllers are normalised: a changed condition moves to the end of the list, and a Deployment's
 * *Progressing* names the ReplicaSet that progressed last, even after a return to an earlier one.
 */
export async function contentsOf(kube: Kube): Promise<KubeObject[]> {
  const objects = await clusterContents(kube);
  return objects.filter((object) => !isNodeLease(object)).map(evened);
}

/** KWOK's heartbeats: the plane creates them again each time a node is held or released. */
function isNodeLease({ kind, metadata }: KubeObject): boolean {
  return kind === 'Lease' && metadata.namespace === 'kube-node-lease';
}

type Condition = { readonly type: string; readonly message?: string };

function evened(object: KubeObject): KubeObject {
  const { conditions } = (object.status ?? {}) as { conditions?: Condition[] };
  if (!Array.isArray(conditions)) return object;
  const sorted = conditions
    .map((one) => (object.kind === 'Deployment' && one.type === 'Progressing' ? { ...one, message: '' } : one))
    .sort((a, b) => (a.type < b.type ? -1 : 1));
  return { ...object, status: { ...(object.status as object), conditions: sorted } };
}
