import type { Resource } from './resources.ts';

/** Names an object. `namespace` is required if the resource is namespaced, and absent otherwise. */
export type ObjectRef = { readonly resource: Resource; readonly namespace?: string; readonly name: string };

/** The id of an object in evidence, plans and journals: `kube-system/ConfigMap/kube-proxy`, `Installation/default`. */
export function objectId(ref: ObjectRef): string {
  return ref.namespace ? `${ref.namespace}/${ref.resource.kind}/${ref.name}` : `${ref.resource.kind}/${ref.name}`;
}

/** `apps/v1` → group and version; `v1` is the core group, whose name is empty. */
export function parseApiVersion(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf('/');
  if (slash < 0) return { group: '', version: apiVersion };
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}
