import { z } from 'zod';
import { sha256Hex } from '#lib/base/sha256.ts';
import { type ManifestRef, type ObjectRef, type Resource, resources } from '#lib/spec/index.ts';

/** How a plan names objects of the cluster and files of a release. */

const known: readonly Resource[] = Object.values(resources);
/** A map, because a release has thousands of objects. */
const knownByName = Map.groupBy(known, ({ group, plural }) => `${plural}.${group}`);

const resource = z
  .strictObject({
    group: z.string(),
    version: z.string(),
    kind: z.string(),
    plural: z.string(),
    namespaced: z.boolean(),
  })
  .refine((given) => isKnown(given) || isOfOperator(given), 'is not a kind of object that a plan may name');

function isKnown(given: Resource): boolean {
  const named = knownByName.get(`${given.plural}.${given.group}`) ?? [];
  return named.some((one) => Object.entries(given).every(([key, value]) => one[key as keyof Resource] === value));
}

/** Kinds for the operator that this table does not list: a release may define more, as Calico Enterprise does. All names of the kind must belong together. */
function isOfOperator({ group, version, kind, plural, namespaced }: Resource): boolean {
  return (
    group === resources.installations.group &&
    version === resources.installations.version &&
    !namespaced &&
    /^[A-Z][A-Za-z0-9]{0,62}$/.test(kind) &&
    /^[a-z][a-z0-9]{0,62}$/.test(plural) &&
    !known.some((one) => one.group === group && (one.kind === kind || one.plural === plural))
  );
}

/** What Kubernetes allows in a path: https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#path-segment-names */
const name = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[^/%\s]+$/, 'is not the name of an object')
  .refine((text) => text !== '.' && text !== '..', 'is not the name of an object');

const namespaceFits = [
  (ref: ObjectRef) => ref.resource.namespaced === (ref.namespace !== undefined),
  'has a namespace exactly when its kind has one',
] as const;

export const objectRef: z.ZodType<ObjectRef> = z
  .strictObject({ resource, namespace: name.exactOptional(), name })
  .refine(...namespaceFits);

export const manifestRef: z.ZodType<ManifestRef> = z.strictObject({
  version: z.string(),
  file: z.string(),
  sha256: z.string().regex(sha256Hex, 'is not a checksum'),
});

const apiWord = (form: RegExp) => z.string().max(253).regex(form, 'is not part of an API');

/** An object of any kind. Only its references to owners in Calico's own API are written. */
const anyObjectRef: z.ZodType<ObjectRef> = z
  .strictObject({
    resource: z.strictObject({
      group: apiWord(/^[a-z0-9.-]*$/),
      version: apiWord(/^[a-z0-9]+$/),
      kind: apiWord(/^[A-Za-z0-9]+$/),
      plural: apiWord(/^[a-z0-9.-]+$/),
      namespaced: z.boolean(),
    }),
    namespace: name.exactOptional(),
    name,
  })
  .refine(...namespaceFits);

/** An object and the references that are removed from it or restored. */
const ownedObject = z.strictObject({
  target: anyObjectRef,
  /** The object's own, so that a new object of the same name is not meant. */
  uid: z.string(),
  /** Entries of `ownerReferences`. */
  references: z.array(
    z.strictObject({
      apiVersion: z.string().regex(/^projectcalico\.org\/v\d+$/, "is not Calico's own API"),
      kind: z.string(),
      name,
      /** As it was when the plan was made. */
      uid: z.string(),
      controller: z.boolean().exactOptional(),
      blockOwnerDeletion: z.boolean().exactOptional(),
    }),
  ),
});
export type OwnedObject = z.infer<typeof ownedObject>;
export const dependants = z.array(ownedObject);

/** Which UID an owner in `projectcalico.org/v3` has: `stored`, that of its stored object, as before v3.28; or `derived` from it (calico.md §12). */
export const ownerUids = z.enum(['stored', 'derived']);
export type OwnerUids = z.infer<typeof ownerUids>;

/** A whole object, or the fields of one that are written. */
export const body = z.record(z.string(), z.unknown());

/** A list of keys, because annotation keys contain dots and slashes. */
const path = z.array(z.string()).min(1);

export const fieldExpectation = z.union([
  z.strictObject({ path, equals: z.unknown() }),
  z.strictObject({ path, absent: z.literal(true) }),
]);
export type FieldExpectation = z.infer<typeof fieldExpectation>;

/** Whose fields are meant: only those that `managedFields` shows as written by Calico's operator alone. Absent: anybody's. */
export const whose = z.literal('operators').exactOptional();

/** Where Helm keeps its records. Absent: in Secrets. */
export const helmDriver = z.literal('configmap').exactOptional();
