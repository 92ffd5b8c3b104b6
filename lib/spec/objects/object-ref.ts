import type { Resource } from './resources.ts';

/** Names one object. `namespace` is needed exactly when the resource is namespaced. */
export type ObjectRef = { readonly resource: Resource; readonly namespace?: string; readonly name: string };

/** How evidence, plans and journals name an object: `kube-system/ConfigMap/kube-proxy`, `Installation/default`. */
export function objectId(ref: ObjectRef): string {
  return ref.namespace ? `${ref.namespace}/${ref.resource.kind}/${ref.name}` : `${ref.resource.kind}/${ref.name}`;
}
