import { isRecord } from '#lib/base/records.ts';
import { isNamespaceName, type ManifestObject } from '#lib/spec/index.ts';

/** An object of a release, or why a value is none. */
export type ReadObject = { readonly object: ManifestObject } | { readonly fault: string };

const apiVersionShape = /^(?:[a-z0-9][a-z0-9.-]{0,252}\/)?v[a-z0-9]{1,40}$/;
const kindShape = /^[A-Z][A-Za-z0-9]{0,62}$/;
/** RBAC's objects may have colons in their names. */
const nameShape = /^[A-Za-z0-9](?:[A-Za-z0-9._:-]{0,251}[A-Za-z0-9])?$/;

/** Checks a parsed document for apiVersion, kind and name. */
export function toManifestObject(value: unknown): ReadObject {
  if (!isRecord(value)) return { fault: 'it holds no Kubernetes object' };
  const { apiVersion, kind, metadata } = value;
  if (typeof kind !== 'string' || !kindShape.test(kind)) return { fault: 'an object has no kind' };
  if (typeof apiVersion !== 'string' || !apiVersionShape.test(apiVersion))
    return { fault: `this ${kind} has no apiVersion` };
  if (!isRecord(metadata)) return { fault: `this ${kind} has no metadata` };
  const { name, namespace } = metadata;
  if (typeof name !== 'string' || !nameShape.test(name)) return { fault: `this ${kind} has no metadata.name` };
  if (namespace === undefined) return { object: { ...value, apiVersion, kind, metadata: { ...metadata, name } } };
  if (typeof namespace !== 'string' || !isNamespaceName(namespace))
    return { fault: `the metadata.namespace of ${kind} ${name} is not a name` };
  return { object: { ...value, apiVersion, kind, metadata: { ...metadata, name, namespace } } };
}
