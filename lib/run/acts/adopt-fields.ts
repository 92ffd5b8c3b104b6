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
 * Moves the fields that releases say to our manager, as client-go's util/csaupgrade moves all of them: finalizers, owners and whatever else is not in
 * a release's file would go away with the next apply, and stay with whoever wrote them. Rejects with KubeError `conflict` where somebody wrote the object at the same moment:
 * it is looked at again. An object that is gone has nothing to take over.
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

/** Whether all of its fields are ours already, or of whom they stay. */
export function isAdopted(object: KubeObject | null): boolean {
  return !(object?.metadata.managedFields ?? []).some(isForeign);
}

/** Writes what only the API server's own controllers know, and goes on doing so. */
const controllers = new Set(['kube-controller-manager', 'kube-apiserver']);

/**
 * Whose fields are taken over: all that was written by update, whoever did (what of it is to stay is in what is applied), and what kubectl applied. What
 * another tool applies is its own: it would come back with its next turn.
 */
function isForeign(entry: Entry): boolean {
  const { manager = '', operation, subresource } = entry;
  if (subresource) return false;
  if (operation === 'Apply') return /^kubectl\b/.test(manager) && leaves(entry);
  return !controllers.has(manager) && leaves(entry);
}

const leaves = ({ fieldsV1 }: Entry) => Object.keys(parted(fieldsV1).taken).length > 0;

export function adopted(entries: readonly Entry[], apiVersion: string): Entry[] {
  const isOurs = ({ manager, operation, subresource }: Entry) =>
    manager === names.fieldManager && operation === 'Apply' && !subresource;
  const own = entries.find(isOurs);
  const taken = entries.filter(isForeign).map(({ fieldsV1 }) => parted(fieldsV1).taken);
  const fieldsV1 = [fieldsOf(own), ...taken].reduce<Fields>(joinFields, {});
  const rest = entries.flatMap((entry): Entry[] => {
    if (entry === own) return [];
    if (!isForeign(entry)) return [entry];
    const { left } = parted(entry.fieldsV1);
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

/** What is taken over of an entry, and what stays: kubectl's copy of what it applied, counters of controllers, and all that no release says. */
function parted(fieldsV1: unknown): { taken: Fields; left: Fields } {
  const { 'f:metadata': metadata, ...parts } = isRecord(fieldsV1) ? fieldsV1 : {};
  const [taken, left] = divided(parts, (key) => areEdited.has(key));
  const { named, others } = ofMetadata(isRecord(metadata) ? metadata : {});
  return { taken: withMetadata(taken, named), left: withMetadata(left, others) };
}

function ofMetadata(metadata: Fields): { named: Fields; others: Fields } {
  const [edited, rest] = divided(metadata, (key) => areNamed.has(key));
  const each = Object.entries(edited).map(([key, value]) => {
    const { '.': whole, ...keys } = isRecord(value) ? value : {};
    const [machines, people] = divided(keys, isOfMachine);
    const isMixed = Object.keys(machines).length > 0;
    // The map itself goes with the keys of people, unless a machine has some in it too.
    return { key, machines, people: isMixed || whole === undefined ? people : { '.': whole, ...people } };
  });
  const filled = (which: 'machines' | 'people') =>
    Object.fromEntries(each.flatMap((one) => (Object.keys(one[which]).length > 0 ? [[one.key, one[which]]] : [])));
  return { named: filled('people'), others: { ...rest, ...filled('machines') } };
}

const areEdited: ReadonlySet<string> = new Set(editedParts.map((part) => `f:${part}`));
const areNamed: ReadonlySet<string> = new Set(editedMetadata.map((part) => `f:${part}`));

function divided(fields: Fields, fits: (key: string) => boolean): [Fields, Fields] {
  const entries = Object.entries(fields);
  const those = entries.filter(([key]) => fits(key));
  return [Object.fromEntries(those), Object.fromEntries(entries.filter(([key]) => !fits(key)))];
}

const withMetadata = (parts: Fields, metadata: Fields): Fields =>
  Object.keys(metadata).length === 0 ? parts : { ...parts, 'f:metadata': metadata };
