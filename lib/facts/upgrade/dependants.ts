import { inParallel } from '#lib/base/async/in-parallel.ts';
import { isRecord, valueAt } from '#lib/base/records.ts';
import { isKubeError, type Kube, type KubeObject, type ObjectMetadata } from '#lib/kube/index.ts';
import { fields, text } from '#lib/kube/read/lenient.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import type { Resource } from '#lib/spec/index.ts';
import { kindName, type Missing, missingOf } from '../reading/reading.ts';
import type { Dependant } from '../schema.ts';

/** Kinds that are listed at the same time. */
const atOnce = 4;
const pageSize = 500;

/** Kinds that are not listed: Events are too many and need no owner, and Calico translates references of its own objects when they are read (calico.md §12). */
const passedOver = /^(Event|Event\.events\.k8s\.io|.*\.(crd\.)?projectcalico\.org)$/;

/** The API whose UIDs change (calico.md §12). */
const calicoApi = /^projectcalico\.org\//;

const owner = fields({ apiVersion: text, kind: text, name: text, uid: text });

/** Name in a list of missing kinds for all kinds together. */
export const everyKind = 'every kind';

/**
 * The references of an object to owners of `projectcalico.org/v3`, exactly as they are, with their field managers; null: it has none. Pure. Fast for
 * objects without references, since it is called for every object of a cluster.
 */
export function dependantOf(object: KubeObject | ObjectMetadata, resource: Resource): Dependant | null {
  const { ownerReferences, managedFields } = object.metadata;
  if (!Array.isArray(ownerReferences)) return null;
  const references = ownerReferences.filter((one) => calicoApi.test(owner.parse(one).apiVersion));
  if (references.length === 0) return null;
  const { name, namespace, uid } = { uid: object.metadata.uid ?? '', ...metadata.parse(object.metadata) };
  return {
    resource: {
      group: resource.group,
      version: resource.version,
      kind: resource.kind,
      plural: resource.plural,
      namespaced: resource.namespaced,
    },
    namespace: namespace ?? null,
    name,
    uid: String(uid),
    references: references.map((one) => {
      const { apiVersion, kind, name: ownerName, uid: ownerUid } = owner.parse(one);
      return {
        apiVersion,
        kind,
        name: ownerName,
        uid: ownerUid,
        ...(typeof one.controller === 'boolean' ? { controller: one.controller } : {}),
        ...(typeof one.blockOwnerDeletion === 'boolean' ? { blockOwnerDeletion: one.blockOwnerDeletion } : {}),
      };
    }),
    writers: writersOf(
      managedFields,
      references.map((one) => owner.parse(one).uid),
    ),
  };
}

/** Field managers of these references, or of the whole list if none is recorded for them. */
function writersOf(managedFields: unknown, uids: readonly string[]): string[] {
  const entries = (Array.isArray(managedFields) ? managedFields : []).flatMap((entry) => {
    const list = valueAt(entry, ['fieldsV1', 'f:metadata', 'f:ownerReferences']);
    const manager = valueAt(entry, ['manager']);
    return isRecord(list) && typeof manager === 'string' ? [{ list, manager }] : [];
  });
  const keys = uids.map((uid) => `k:${JSON.stringify({ uid })}`);
  const ofThese = entries.filter(({ list }) => keys.some((key) => Object.hasOwn(list, key)));
  return [...new Set((ofThese.length > 0 ? ofThese : entries).map(({ manager }) => manager))];
}

/**
 * Lists the metadata of every object of every kind, a few kinds at a time, and calls `found` for each with such owners. Returns kinds that could not be
 * listed, with the missing right. Rejects with a KubeError `aborted` only.
 */
export async function scanDependants(
  kube: Kube,
  found: (dependant: Dependant) => void,
  signal?: AbortSignal,
): Promise<Missing[]> {
  const missing: Missing[] = [];
  const kinds = await listable(kube, missing, signal);
  const unread = await inParallel(kinds, atOnce, (resource) => scanKind(kube, resource, found, signal));
  return [...missing, ...unread.flat()];
}

async function listable(kube: Kube, missing: Missing[], signal?: AbortSignal): Promise<Resource[]> {
  try {
    const { resources, failing } = await kube.discover(signal ? { signal } : {});
    const hidden = failing.filter(({ groupVersion }) => !groupVersion.includes('projectcalico.org'));
    missing.push(...hidden.map(({ groupVersion, because }) => ({ kind: groupVersion, because })));
    return resources.filter(
      (resource) =>
        resource.verbs.includes('list') && !resource.plural.includes('/') && !passedOver.test(kindName(resource)),
    );
  } catch (error) {
    if (!isKubeError(error) || error.code === 'aborted') throw error;
    missing.push({ kind: everyKind, because: error.message });
    return [];
  }
}

async function scanKind(
  kube: Kube,
  resource: Resource,
  found: (dependant: Dependant) => void,
  signal?: AbortSignal,
): Promise<Missing[]> {
  try {
    for await (const { items } of kube.listMetadata(resource, { pageSize, ...(signal ? { signal } : {}) })) {
      for (const object of items) {
        const one = dependantOf(object, resource);
        if (one) found(one);
      }
    }
    return [];
  } catch (error) {
    if (!isKubeError(error) || error.code === 'aborted') throw error;
    if (isKubeError(error, 'not-served')) return [];
    return [missingOf(resource, error, { verb: 'list', group: resource.group, resource: resource.plural })];
  }
}
