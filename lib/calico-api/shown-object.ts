import { type Fields, isRecord } from '#lib/base/records.ts';
import type { KubeObject, ObjectMeta } from '#lib/kube/index.ts';
import { fields, flagOrNull, text, textMap, textOrNull } from '#lib/kube/read/lenient.ts';
import { apiVersionOf, releaseAtLeast, v3Uid } from '#lib/spec/index.ts';
import type { CalicoKind } from './calico-kinds.ts';
import { isTiered, shownName } from './policy-name.ts';
import { withDefaults } from './spec-defaults.ts';

/** Where Calico notes an object's metadata: labels, annotations, owners and more, as JSON (calico.md §12). */
export const metadataAnnotation = 'projectcalico.org/metadata';
const tierLabel = 'projectcalico.org/tier';

/**
 * A stored object as `projectcalico.org/v3` shows it (libcalico-go/lib/backend/k8s/resources/resources.go, read 2026-11-23): name, metadata, defaults
 * and UID. An object that already has this form is unchanged. `calicoVersion`: the cluster's; null: no UID is shown, because a wrong one in an
 * owner reference deletes what refers to it.
 */
export function shownObject(object: KubeObject, kind: CalicoKind, calicoVersion: string | null): KubeObject {
  const apiVersion = apiVersionOf(kind.shown);
  if (object.apiVersion === apiVersion) return object;
  const { metadata: _metadata, apiVersion: _apiVersion, kind: _kind, ...rest } = object;
  const metadata = shownMetadata(object, kind, calicoVersion);
  const spec = isRecord(rest.spec)
    ? { spec: withDefaults(kind.shown.kind, object.metadata.name ?? '', rest.spec) }
    : {};
  return { apiVersion, kind: kind.shown.kind, metadata, ...rest, ...spec };
}

/** What the annotation says; null where there is none, or nothing that can be read. */
export function notedMetadata(object: KubeObject): Fields | null {
  const noted = textMap.parse(object.metadata.annotations)[metadataAnnotation];
  if (noted === undefined) return null;
  try {
    const parsed: unknown = JSON.parse(noted);
    return isRecord(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function shownMetadata(object: KubeObject, { shown: { kind } }: CalicoKind, version: string | null): ObjectMeta {
  const { annotations: ownAnnotations, ...own } = object.metadata;
  const noted = notedMetadata(object);
  const { [metadataAnnotation]: _noted, ...kept } = textMap.parse(ownAnnotations);
  // Where something is noted, the stored object's own fields say nothing, but for these.
  const { namespace, resourceVersion } = own;
  const base =
    noted === null ? own : withoutAbsent<ObjectMeta>({ ...notedFields(noted, version), namespace, resourceVersion });
  const annotations = { ...kept, ...textMap.parse(noted?.annotations) };
  const labels = { ...textMap.parse(own.labels), ...textMap.parse(noted?.labels) };
  if (isTiered(kind) && labels[tierLabel] === undefined && knowsTiers(version)) labels[tierLabel] = 'default';
  return withoutAbsent<ObjectMeta>({
    ...base,
    name: shownName(kind, own.name ?? '', noted?.name),
    creationTimestamp: base.creationTimestamp ?? own.creationTimestamp,
    uid: shownUid(own.uid, version),
    annotations: Object.keys(annotations).length > 0 ? annotations : undefined,
    labels: Object.keys(labels).length > 0 ? labels : undefined,
  });
}

const owner = fields({
  apiVersion: text,
  kind: text,
  name: text,
  uid: textOrNull,
  controller: flagOrNull,
  blockOwnerDeletion: flagOrNull,
});
const plain = fields({ creationTimestamp: textOrNull, deletionTimestamp: textOrNull, generateName: textOrNull });

function notedFields(noted: Fields, version: string | null): ObjectMeta {
  const { creationTimestamp, deletionTimestamp, generateName } = plain.parse(noted);
  const owners = Array.isArray(noted.ownerReferences) ? noted.ownerReferences.filter(isRecord) : [];
  const finalizers = Array.isArray(noted.finalizers) ? noted.finalizers.filter((one) => typeof one === 'string') : [];
  return withoutAbsent<ObjectMeta>({
    creationTimestamp: creationTimestamp ?? undefined,
    deletionTimestamp: deletionTimestamp ?? undefined,
    generateName: generateName || undefined,
    generation: typeof noted.generation === 'number' ? noted.generation : undefined,
    finalizers: finalizers.length > 0 ? finalizers : undefined,
    ownerReferences: owners.length > 0 ? owners.map((one) => shownOwner(owner.parse(one), version)) : undefined,
  });
}

type Owner = NonNullable<ObjectMeta['ownerReferences']>[number];

/** An owner among Calico's objects is noted by its stored form; what was noted before that rule names v3, and means the same. */
function shownOwner(
  { uid, controller, blockOwnerDeletion, ...one }: ReturnType<typeof owner.parse>,
  version: string | null,
): Owner {
  const isOurs = one.apiVersion === 'crd.projectcalico.org/v1' || one.apiVersion === 'projectcalico.org/v3';
  return withoutAbsent<Owner>({
    ...one,
    apiVersion: isOurs ? 'projectcalico.org/v3' : one.apiVersion,
    uid: (isOurs ? shownUid(uid ?? undefined, version) : uid) ?? '',
    controller: controller ?? undefined,
    blockOwnerDeletion: blockOwnerDeletion ?? undefined,
  });
}

/** Up to v3.27 the stored object's own, from v3.28 on made from it (calico.md §12). */
function shownUid(uid: unknown, version: string | null): string | undefined {
  if (typeof uid !== 'string' || version === null) return undefined;
  const answer = releaseAtLeast(version, 'v3.28.0');
  return answer === 'yes' ? (v3Uid(uid) ?? undefined) : answer === 'no' ? uid : undefined;
}

/** Calico without a licence has tiers from v3.29 on; an unknown version is taken for a new one, as only a label hangs on it. */
function knowsTiers(version: string | null): boolean {
  return version === null || releaseAtLeast(version, 'v3.29.0') !== 'no';
}

function withoutAbsent<T extends object>(record: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}
