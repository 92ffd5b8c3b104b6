import { derivedFrom, kindNamed, storedNames } from '#lib/calico-api/index.ts';
import { isKubeError, type Kube, type KubeObject, type OwnerReference } from '#lib/kube/index.ts';
import type { Act, OwnedObject, OwnerUids } from '#lib/plan/index.ts';
import { type ObjectRef, type Resource, resources, v3Uid } from '#lib/spec/index.ts';

/** Acts on owner references (operations.md › owner-refs.*). Repeating one changes nothing. */

export type OwnersAct = Extract<Act, { kind: 'remove-owner-references' | 'restore-owner-references' }>;
type Reference = OwnedObject['references'][number];

/** Calico's kinds that are stored here, by their stored kind. The API may show one under another name (IPAMConfig: IPAMConfiguration). */
export type OwnerKinds = ReadonlyMap<string, Resource>;

/** The kinds of `crd.projectcalico.org` that the API server stores, by kind. Rejects with the KubeError of the discovery. */
export async function ownerKinds(kube: Kube, signal?: AbortSignal): Promise<OwnerKinds> {
  const { resources: served } = await kube.discover(signal ? { signal } : {});
  const stored = served.filter(({ group, plural }) => group === resources.ipPools.group && !plural.includes('/'));
  return new Map(
    stored.map(({ group, version, kind, plural, namespaced }) => [kind, { group, version, kind, plural, namespaced }]),
  );
}

/** `expected`: computed from the stored object. `served`: shown by the v3 API; null: not (yet). */
export type Owner =
  | { kind: 'there'; expected: string; served: string | null; because: string | null }
  | { kind: 'gone'; because: string };

/** An owner as it is now. A v3 API that does not answer is part of the answer; other failures reject with KubeError. */
export async function ownerNow(
  kube: Kube,
  kinds: OwnerKinds,
  { target }: OwnedObject,
  reference: Reference,
  uids: OwnerUids,
  signal?: AbortSignal,
): Promise<Owner> {
  const known = kindNamed(reference.kind);
  const stored = known ? known.stored : { kind: reference.kind };
  const source = derivedFrom(reference.kind, reference.name, target.namespace);
  const resource = source ? known?.shown : stored && kinds.get(stored.kind);
  const who = `${reference.kind} ${reference.name}`;
  if (!resource) return { kind: 'gone', because: `${who} is not stored as an object, so its UID cannot be computed` };
  const found = source
    ? await objectsAt(kube, [source], signal)
    : await storedOwners(kube, resource, target.namespace, reference, signal);
  const uid = found.map(({ metadata }) => metadata.uid ?? '').find((one) => [one, v3Uid(one)].includes(reference.uid));
  if (uid === undefined) {
    const what = found.length === 0 ? 'is no longer there' : 'was deleted, and is another one now';
    return { kind: 'gone', because: `its owner ${who} ${what}` };
  }
  const [group = '', version = ''] = reference.apiVersion.split('/');
  const shown: ObjectRef = {
    ...refTo(resource, target.namespace, reference.name),
    resource: { ...resource, ...known?.shown, group, version },
  };
  const expected = uids === 'stored' ? uid : (v3Uid(uid) ?? '');
  try {
    const served = await kube.get(shown, signal ? { signal } : {});
    return { kind: 'there', expected, served: served?.metadata.uid ?? null, because: null };
  } catch (error) {
    if (!isKubeError(error, 'not-served', 'server')) throw error;
    return { kind: 'there', expected, served: null, because: error.message };
  }
}

/** All objects that may be shown under the name: releases differ in the names of policies (policy-name.ts), so the UID decides. */
async function storedOwners(
  kube: Kube,
  resource: Resource,
  namespace: string | undefined,
  { kind, name }: Reference,
  signal?: AbortSignal,
): Promise<KubeObject[]> {
  if (resource.namespaced && namespace === undefined) return [];
  const named = new Set([...storedNames(kind, name), name]);
  return objectsAt(
    kube,
    [...named].map((one) => refTo(resource, namespace, one)),
    signal,
  );
}

/** The objects that exist. */
async function objectsAt(kube: Kube, refs: readonly ObjectRef[], signal?: AbortSignal): Promise<KubeObject[]> {
  const found: KubeObject[] = [];
  for (const ref of refs) {
    const object = await kube.get(ref, signal ? { signal } : {});
    if (object) found.push(object);
  }
  return found;
}

function refTo(resource: Resource, namespace: string | undefined, name: string): ObjectRef {
  return { resource, ...(resource.namespaced && namespace !== undefined ? { namespace } : {}), name };
}

/** Changes the owners of one object. Rejects with KubeError `conflict` if somebody changed the object at the same moment; the caller then looks again. */
export async function changeOwners(
  kube: Kube,
  act: OwnersAct,
  dependant: OwnedObject,
  kinds: OwnerKinds,
): Promise<void> {
  const live = await liveDependant(kube, dependant);
  if (!live) return;
  const now = live.metadata.ownerReferences ?? [];
  const wanted =
    act.kind === 'remove-owner-references'
      ? now.filter((one) => !dependant.references.some((reference) => isSameOwner(one, reference)))
      : await withOwners(kube, now, dependant, act.uids, kinds);
  if (wanted.length === now.length) return;
  await kube.patch(dependant.target, {
    type: 'merge',
    body: { metadata: { ownerReferences: wanted.length === 0 ? null : wanted } },
    ...(live.metadata.resourceVersion === undefined ? {} : { resourceVersion: live.metadata.resourceVersion }),
  });
}

/** Null if the object is gone or was replaced by another of its name, whose references are not meant. */
export async function liveDependant(kube: Kube, { target, uid }: OwnedObject, signal?: AbortSignal) {
  const live = await kube.get(target, signal ? { signal } : {});
  return live !== null && live.metadata.uid === uid && live.metadata.deletionTimestamp === undefined ? live : null;
}

/** Matches either of the two UIDs. */
export function isSameOwner(one: OwnerReference, { apiVersion, kind, name, uid }: Reference): boolean {
  return (
    one.apiVersion === apiVersion &&
    one.kind === kind &&
    one.name === name &&
    (one.uid === uid || one.uid === v3Uid(uid))
  );
}

async function withOwners(
  kube: Kube,
  now: readonly OwnerReference[],
  dependant: OwnedObject,
  uids: OwnerUids,
  kinds: OwnerKinds,
): Promise<OwnerReference[]> {
  const wanted = [...now];
  for (const reference of dependant.references) {
    if (wanted.some((one) => isSameOwner(one, reference))) continue;
    const owner = await ownerNow(kube, kinds, dependant, reference, uids);
    // Restores a reference only if both UIDs agree: with an owner that the API does not serve, or serves under another UID, the garbage collector would
    // delete the object.
    if (owner.kind === 'there' && owner.served === owner.expected) wanted.push({ ...reference, uid: owner.expected });
  }
  return wanted;
}
