import type { KubeObject as SampleObject } from '#lib/kube/index.ts';
import type { KubeObject } from '../api.ts';

/** An object of a sandbox as a user would apply it, without the fields that the server, its controllers and kubelets fill in. */
export function asApplied({ status: _, metadata, ...rest }: SampleObject): KubeObject {
  const { uid: _uid, creationTimestamp: _created, ownerReferences: _owners, ...own } = metadata;
  return { ...rest, metadata: { ...own, name: own.name ?? '' } } as KubeObject;
}
