import { isRecord, joinFields } from '#lib/base/records.ts';
import type { Kube, KubeObject } from '#lib/kube/index.ts';
import {
  apiVersionOf,
  editedMetadata,
  editedParts,
  names,
  type ObjectRef,
  writtenByMachines,
} from '#lib/spec/index.ts';

type Entry = NonNullable<KubeObject['metadata']['managedFields']>[number];
type Fields = { readonly [key: string]: unknown };

/**
 * Makes us the owner of fields that releases set. client-go's util/csaupgrade moves all fields; finalizers, owners and others that no release's file
 * contains would then be removed by the next apply, so they stay with their writers. Rejects with KubeError `conflict` if somebody wrote the object
 * at the same moment; the caller then looks again. An object that is gone needs nothing.
 */
export async function adoptFields(kube: Kube, target: ObjectRef): Promise<void> {
  const live = await kube.get(target);
  const entries = live?.metadata.managedFields ?? [];
  if (!live || !entries.some(isForeign)) return;
  const { resourceVersion } = live.metadata;
  await kube.patch(target, {
    type: 'merge',
    body: { metadata: { managedFields: adopted(entries, apiVersionOf(target.resource)) } },
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  });
}

/** Whether all of its fields are ours already, or belong to writers who keep them. */
export function isAdopted(object: KubeObject | null): boolean {
  return !(object?.metadata.managedFields ?? []).some(isForeign);
}

/** Controllers of the API server, which write fields that nobody else knows, again and again. */
const controllers = new Set(['kube-controller-manager', 'kube-apiserver']);

/**
 * Whether the fields of an entry are taken over: of every update, by whichever client, since fields that must stay are in the next apply, and of
 * kubectl's applies. Fields that another tool applies stay with it, as it would apply them again.
 */
function isForeign(entry: Entry): boolean {
  const { manager = '', operation, subresource } = entry;
  if (subresource) return false;
  if (operation === 'Apply') return /^kubectl\b/.test(manager) && hasFieldsToTake(entry);
  return !controllers.has(manager) && hasFieldsToTake(entry);
}

const hasFieldsToTake = ({ fieldsV1 }: Entry) => Object.keys(splitFields(fieldsV1).taken).length > 0;

/** The managedFields after the adoption: our apply entry, with the fields of every entry that is taken over, comes first. Pure. */
export function adopted(entries: readonly Entry[], apiVersion: string): Entry[] {
  const isOurs = ({ manager, operation, subresource }: Entry) =>
    manager === names.fieldManager && operation === 'Apply' && !subresource;
  const own = entries.find(isOurs);
  const taken = entries.filter(isForeign).map(({ fieldsV1 }) => splitFields(fieldsV1).taken);
  const fieldsV1 = [fieldsOf(own), ...taken].reduce<Fields>(joinFields, {});
  const rest = entries.flatMap((entry): Entry[] => {
    if (entry === own) return [];
    if (!isForeign(entry)) return [entry];
    const { left } = splitFields(entry.fieldsV1);
    return Object.keys(left).length === 0 ? [] : [{ ...entry, fieldsV1: left }];
  });
  const ours = {
    manager: names.fieldManager,
    operation: 'Apply',
    apiVersion,
    fieldsType: 'FieldsV1',
    fieldsV1,
  } as Entry;
  return [{ ...ours, ...(own?.time === undefined ? {} : { time: own.time }) }, ...rest];
}

const fieldsOf = (entry: Entry | undefined): Fields => (isRecord(entry?.fieldsV1) ? entry.fieldsV1 : {});

const isOfMachine = (key: string) =>
  key.startsWith('f:') && writtenByMachines.some((one) => one.key.test(key.slice(2)));

/**
 * Splits an entry into fields that are taken over and fields that stay: kubectl's copy of the object, counters of controllers, and everything that no
 * release sets.
 */
function splitFields(fieldsV1: unknown): { taken: Fields; left: Fields } {
  const { 'f:metadata': metadata, ...parts } = isRecord(fieldsV1) ? fieldsV1 : {};
  const [taken, left] = partitioned(parts, (key) => editedKeys.has(key));
  const { named, others } = ofMetadata(isRecord(metadata) ? metadata : {});
  return { taken: withMetadata(taken, named), left: withMetadata(left, others) };
}

function ofMetadata(metadata: Fields): { named: Fields; others: Fields } {
  const [edited, rest] = partitioned(metadata, (key) => editedMetadataKeys.has(key));
  const each = Object.entries(edited).map(([key, value]) => {
    const { '.': mapItself, ...keys } = isRecord(value) ? value : {};
    const [machines, people] = partitioned(keys, isOfMachine);
    const isMixed = Object.keys(machines).length > 0;
    // The map itself goes with the users' keys, unless a machine has keys in it too.
    return { key, machines, people: isMixed || mapItself === undefined ? people : { '.': mapItself, ...people } };
  });
  const filled = (which: 'machines' | 'people') =>
    Object.fromEntries(each.flatMap((one) => (Object.keys(one[which]).length > 0 ? [[one.key, one[which]]] : [])));
  return { named: filled('people'), others: { ...rest, ...filled('machines') } };
}

const editedKeys: ReadonlySet<string> = new Set(editedParts.map((part) => `f:${part}`));
const editedMetadataKeys: ReadonlySet<string> = new Set(editedMetadata.map((part) => `f:${part}`));

function partitioned(fields: Fields, fits: (key: string) => boolean): [Fields, Fields] {
  const entries = Object.entries(fields);
  const those = entries.filter(([key]) => fits(key));
  return [Object.fromEntries(those), Object.fromEntries(entries.filter(([key]) => !fits(key)))];
}

const withMetadata = (parts: Fields, metadata: Fields): Fields =>
  Object.keys(metadata).length === 0 ? parts : { ...parts, 'f:metadata': metadata };
