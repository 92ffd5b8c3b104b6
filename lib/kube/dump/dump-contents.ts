import { basename } from 'node:path';
import { isRecord } from '#lib/base/records.ts';
import { parseApiVersion } from '#lib/spec/index.ts';
import type { KubeObject } from '../object.ts';
import { type DumpRecord, recordOf } from './dump-record.ts';
import { InputError } from './input-error.ts';
import type { ParsedDocument } from './usual-yaml.ts';

/** Objects in the files of a dump, and the kinds of which the dump has all objects. */
export type DumpContents = {
  objects: KubeObject[];
  /** Kinds of objects and of typed Lists: `apps/v1 DaemonSet`. */
  kinds: Set<string>;
  /** Kinds of typed Lists in their API: `projectcalico.org/v3/HostEndpoint`. */
  listForms: Set<string>;
  /** Names of files with an empty untyped List: `networkpolicies` or `networkpolicies.networking.k8s.io`. */
  emptyLists: Set<string>;
  /** Kinds with a list that has a continue token, so that objects are missing. */
  cut: Set<string>;
  /** API groups of `kubectl get --raw /apis`; null: not in the dump. Other groups have no objects. */
  groups: Set<string> | null;
  /** `gitVersion` of the server, from `kubectl get --raw /version` or `kubectl version -o yaml`; null: not in the dump. */
  version: string | null;
  /** Records that `signalbox dump` wrote. */
  records: DumpRecord[];
  /** Objects of each List of mixed kinds, as `kubectl get pods,services` prints them. */
  lists: (readonly KubeObject[])[];
  /** Namespaces that `kubectl cluster-info dump` wrote, known by its file `NAMESPACE/replication-controllers.json`. */
  clusterInfoNamespaces: Set<string>;
};

/** The contents of a dump of which no file was read yet; `addDocument` fills them in place. */
export function emptyContents(): DumpContents {
  return {
    objects: [],
    kinds: new Set(),
    listForms: new Set(),
    emptyLists: new Set(),
    cut: new Set(),
    groups: null,
    version: null,
    records: [],
    lists: [],
    clusterInfoNamespaces: new Set(),
  };
}

/** Objects of one kind in sequence. */
export type RunOfKind = { readonly first: KubeObject; readonly objects: readonly KubeObject[] };

/** Splits objects into sequences of one kind, so that work for each kind is done once for thousands of objects. */
export function runsOfKinds(objects: readonly KubeObject[]): RunOfKind[] {
  const runs: RunOfKind[] = [];
  let first = objects[0];
  let start = 0;
  for (let at = 0; first !== undefined; at++) {
    const next = objects[at];
    if (next?.kind === first.kind && next.apiVersion === first.apiVersion) continue;
    runs.push({ first, objects: objects.slice(start, at) });
    first = next;
    start = at;
  }
  return runs;
}

/** Adds a document: an object, a List, or a typed List such as NetworkPolicyList, whose items may leave out their kind. */
export function addDocument(contents: DumpContents, file: string, { value, line }: ParsedDocument): void {
  // An empty document between two `---`.
  if (value === null || value === undefined) return;
  if (!isRecord(value)) throw new InputError(file, line, 'it holds no Kubernetes object or List');
  if (addAnswer(contents, value)) return;
  const { kind, apiVersion, items } = value;
  if (typeof kind !== 'string' || kind === '')
    throw new InputError(file, line, 'it is not a Kubernetes object or List: it has no kind');
  if (typeof apiVersion !== 'string' || apiVersion === '') {
    throw new InputError(file, line, `it is not a Kubernetes object or List: this ${kind} has no apiVersion`);
  }
  if (!kind.endsWith('List') || !('items' in value)) {
    addObject(contents, file, line, value, null);
    return;
  }
  if (items !== null && !Array.isArray(items))
    throw new InputError(file, line, `the items of this ${kind} are not a list`);
  const itemKind = kind === 'List' ? null : { apiVersion, kind: kind.slice(0, -'List'.length) };
  const goesOn = isCut(value.metadata);
  const before = contents.objects.length;
  const namespace = /([^/\\]+)[/\\]replication-controllers\.(?:json|yaml)$/.exec(file)?.[1];
  if (namespace !== undefined) contents.clusterInfoNamespaces.add(namespace);
  if (itemKind) {
    contents.kinds.add(kindKey(itemKind.apiVersion, itemKind.kind));
    contents.listForms.add(`${itemKind.apiVersion}/${itemKind.kind}`);
    if (goesOn) contents.cut.add(kindKey(itemKind.apiVersion, itemKind.kind));
  } else if (!items || items.length === 0)
    contents.emptyLists.add(
      basename(file)
        .replace(/\.[^.]*$/, '')
        .toLowerCase(),
    );
  for (const item of items ?? []) {
    if (!isRecord(item)) throw new InputError(file, line, `an item of this ${kind} is not an object`);
    if (typeof item.kind === 'string' && item.kind.endsWith('List') && 'items' in item)
      addDocument(contents, file, { value: item, line });
    else {
      const added = addObject(contents, file, line, item, itemKind);
      if (goesOn) contents.cut.add(added);
    }
  }
  if (!itemKind) contents.lists.push(contents.objects.slice(before));
}

/** Adds an answer of the API server that is no object: its version, its groups, or the kinds of a group. False: it is none of these. */
function addAnswer(contents: DumpContents, value: Record<string, unknown>): boolean {
  const { kind, groups } = value;
  if (kind === 'APIGroupList' && Array.isArray(groups)) {
    contents.groups ??= new Set(['']);
    for (const group of groups) if (isRecord(group) && typeof group.name === 'string') contents.groups.add(group.name);
    return true;
  }
  if (kind === 'APIResourceList' || kind === 'APIVersions' || kind === 'APIGroup') return true;
  if (kind !== undefined) return false;
  const server = isRecord(value.clientVersion) ? value.serverVersion : value;
  const version = isRecord(server) ? server.gitVersion : undefined;
  if (typeof version === 'string') contents.version = version;
  return typeof version === 'string' || isRecord(value.clientVersion);
}

/** Whether a list has a continue token (Kubernetes API concepts › Retrieving large results sets in chunks). */
function isCut(metadata: unknown): boolean {
  if (!isRecord(metadata)) return false;
  const { continue: rest, remainingItemCount } = metadata;
  return (
    (typeof rest === 'string' && rest !== '') || (typeof remainingItemCount === 'number' && remainingItemCount > 0)
  );
}

/** Returns the key of its kind. */
function addObject(
  contents: DumpContents,
  file: string,
  line: number,
  value: Record<string, unknown>,
  implied: { apiVersion: string; kind: string } | null,
): string {
  const kind = value.kind ?? implied?.kind;
  const apiVersion = value.apiVersion ?? implied?.apiVersion;
  if (typeof kind !== 'string' || typeof apiVersion !== 'string')
    throw new InputError(file, line, 'an item has no kind or apiVersion');
  const { metadata } = value;
  if (!isRecord(metadata) || typeof metadata.name !== 'string' || metadata.name === '') {
    throw new InputError(file, line, `this ${kind} has no metadata.name`);
  }
  if (metadata.namespace !== undefined && metadata.namespace !== null && typeof metadata.namespace !== 'string') {
    throw new InputError(file, line, `the metadata.namespace of this ${kind} is not text`);
  }
  if ((metadata.name.startsWith('-') || metadata.namespace?.startsWith('-')) && !isOfRights(apiVersion))
    throw new InputError(
      file,
      line,
      `the name or namespace of this ${kind} begins with a hyphen, as none in Kubernetes does`,
    );
  const key = kindKey(apiVersion, kind);
  contents.kinds.add(key);
  const clean = cleaned(metadata);
  // Nearly every object is usable as it is, and need not be copied.
  const isUnchanged = value.kind === kind && value.apiVersion === apiVersion && clean === metadata;
  const object = isUnchanged ? (value as KubeObject) : { ...value, apiVersion, kind, metadata: clean };
  const record = recordOf(file, line, object);
  if (record) addRecord(contents, record);
  else contents.objects.push(object);
  return key;
}

/**
 * Roles and bindings, whose names may begin with a hyphen. Those of all other objects stand in commands that people copy, where one such as `--all`
 * would be a flag; an API server accepts none.
 */
const isOfRights = (apiVersion: string) => apiVersion.startsWith('rbac.authorization.k8s.io/');

function addRecord(contents: DumpContents, record: DumpRecord): void {
  contents.records.push(record);
  contents.version ??= record.kubernetesVersion;
  if (record.apis) contents.groups = new Set([...(contents.groups ?? []), ...record.apis.groups]);
}

const texts = (value: unknown) => {
  if (!isRecord(value)) return false;
  for (const key in value) if (typeof value[key] !== 'string') return false;
  return true;
};
const list = (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === 'string');
const records = (value: unknown) => Array.isArray(value) && value.every(isRecord);
const text = (value: unknown) => typeof value === 'string';

/** Fields of metadata whose types all readers rely on. */
const shapes = new Map<string, (value: unknown) => boolean>([
  ['labels', texts],
  ['annotations', texts],
  ['finalizers', list],
  ['ownerReferences', records],
  ['managedFields', records],
  ['namespace', text],
  ['uid', text],
  ['resourceVersion', text],
  ['creationTimestamp', text],
  ['deletionTimestamp', text],
  ['generation', (value) => typeof value === 'number'],
]);
const fits = (name: string, value: unknown) => shapes.get(name)?.(value) !== false;

/** Metadata without those of these fields that have another type. */
function cleaned(metadata: Record<string, unknown>): KubeObject['metadata'] {
  for (const name in metadata)
    if (!fits(name, metadata[name]))
      return Object.fromEntries(
        Object.entries(metadata).filter(([key, value]) => fits(key, value)),
      ) as KubeObject['metadata'];
  return metadata as KubeObject['metadata'];
}

/** Calico's two API groups, which have the same objects. */
export const twinGroups: ReadonlyMap<string, string> = new Map([
  ['crd.projectcalico.org', 'projectcalico.org'],
  ['projectcalico.org', 'crd.projectcalico.org'],
]);

/** A key for a kind with its group. A kind of `projectcalico.org` and its stored form in `crd.projectcalico.org` have the same key. */
export function kindKey(apiVersion: string, kind: string): string {
  // Thousands of objects of one kind come in sequence, so the last key is kept.
  if (last.apiVersion === apiVersion && last.kind === kind) return last.key;
  const { group } = parseApiVersion(apiVersion);
  last = { apiVersion, kind, key: `${group === 'projectcalico.org' ? 'crd.projectcalico.org' : group}/${kind}` };
  return last.key;
}

let last = { apiVersion: '', kind: '', key: '/' };
