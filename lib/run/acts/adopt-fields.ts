import { isRecord } from '#lib/base/records.ts';
import type { Kube, KubeObject } from '#lib/kube/index.ts';
import { apiVersionOf, names, type ObjectRef, writtenByMachines } from '#lib/spec/index.ts';

type Entry = NonNullable<KubeObject['metadata']['managedFields']>[number];
type Fields = { readonly [key: string]: unknown };

/**
 * Moves fields to our manager as client-go's util/csaupgrade does. Rejects with KubeError `conflict` where somebody wrote the object at the same moment:
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

const leaves = ({ fieldsV1 }: Entry) => Object.keys(withoutMachines(fieldsV1)).length > 0;

export function adopted(entries: readonly Entry[], apiVersion: string): Entry[] {
  const isOurs = ({ manager, operation, subresource }: Entry) =>
    manager === names.fieldManager && operation === 'Apply' && !subresource;
  const own = entries.find(isOurs);
  const taken = entries.filter(isForeign).map(({ fieldsV1 }) => withoutMachines(fieldsV1));
  const fieldsV1 = [fieldsOf(own), ...taken].reduce(union, {});
  const rest = entries.flatMap((entry): Entry[] => {
    if (entry === own) return [];
    if (!isForeign(entry)) return [entry];
    const left = onlyMachines(entry.fieldsV1);
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

function union(one: Fields, other: Fields): Fields {
  const entries = Object.entries(other).map(([key, value]) => {
    const known = one[key];
    return [key, isRecord(known) && isRecord(value) ? union(known, value) : value] as const;
  });
  return { ...one, ...Object.fromEntries(entries) };
}

const isOfMachine = (key: string) =>
  key.startsWith('f:') && writtenByMachines.some((one) => one.key.test(key.slice(2)));

/** kubectl's copy of what it applied, and the counters of controllers, belong to whoever wrote them. */
function annotationsOf(fieldsV1: unknown): { fields: Fields; metadata: Fields; annotations: Fields } {
  const fields = isRecord(fieldsV1) ? fieldsV1 : {};
  const metadata = isRecord(fields['f:metadata']) ? fields['f:metadata'] : {};
  const annotations = isRecord(metadata['f:annotations']) ? metadata['f:annotations'] : {};
  return { fields, metadata, annotations };
}

function withoutMachines(fieldsV1: unknown): Fields {
  const { fields, metadata, annotations } = annotationsOf(fieldsV1);
  if (!Object.keys(annotations).some(isOfMachine)) return fields;
  const kept = Object.fromEntries(Object.entries(annotations).filter(([key]) => key !== '.' && !isOfMachine(key)));
  const { 'f:annotations': _annotations, ...others } = metadata;
  const rest = Object.keys(kept).length === 0 ? others : { ...others, 'f:annotations': kept };
  const { 'f:metadata': _metadata, ...parts } = fields;
  return Object.keys(rest).length === 0 ? parts : { ...parts, 'f:metadata': rest };
}

function onlyMachines(fieldsV1: unknown): Fields {
  const { annotations } = annotationsOf(fieldsV1);
  const kept = Object.fromEntries(Object.entries(annotations).filter(([key]) => isOfMachine(key)));
  return Object.keys(kept).length === 0 ? {} : { 'f:metadata': { 'f:annotations': kept } };
}
