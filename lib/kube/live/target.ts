import { apiVersionOf, type Resource } from '#lib/spec/index.ts';
import { KubeError } from '../error.ts';

/** A path segment that the API server accepts. Any other could address another object than the one that was meant. */
const segment = /^(?!\.{1,2}$)[^/%\u0000-\u001f\u007f]+$/;

/** `/apis/apps/v1/namespaces/kube-system/daemonsets`. Without a namespace: all namespaces. */
export function collectionPath(resource: Resource, namespace?: string): string {
  const base = resource.group === '' ? '/api/v1' : `/apis/${apiVersionOf(resource)}`;
  const inNamespace = resource.namespaced && namespace !== undefined;
  return `${base}${inNamespace ? `/namespaces/${checked(namespace, 'metadata.namespace')}` : ''}/${resource.plural}`;
}

/** The path to create an object at. Throws `invalid` if a namespaced object has no namespace. */
export function creationPath(resource: Resource, namespace: string | undefined): string {
  if (resource.namespaced && namespace === undefined) {
    throw invalid('metadata.namespace', `a ${resource.kind} is in a namespace, and none is given.`);
  }
  return collectionPath(resource, namespace);
}

/** The path of an object or its subresource. Throws `invalid` for a missing namespace, and for names that would address another object. */
export function objectPath(
  resource: Resource,
  namespace: string | undefined,
  name: string,
  subresource?: string,
): string {
  const path = `${creationPath(resource, namespace)}/${checked(name, 'metadata.name')}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

function checked(value: string, field: string): string {
  if (!segment.test(value)) throw invalid(field, `${JSON.stringify(value)} is not a name that an object can have.`);
  return encodeURIComponent(value);
}

/** The error for an argument that no request is sent for. `field`: its path or name; `message`: the sentence after it. */
export function invalid(field: string, message: string): KubeError {
  return new KubeError('invalid', `${field}: ${message}`, { fields: [{ field, message }] });
}

/** The path with these parameters, percent-encoded; those that are `undefined` are left out. */
export function withQuery(path: string, query: Record<string, string | number | boolean | undefined>): string {
  const pairs = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]));
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;
}
