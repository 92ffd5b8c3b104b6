import { isRecord, same } from '#lib/base/records.ts';
import type { KubeObject, ManagedFieldsEntry } from '../../object.ts';
import type { TypeRef } from '../schema/atom.ts';
import { difference, type FieldSet, fromFieldsV1, isEmpty, setOf, toFieldsV1, union } from './field-set.ts';
import { applyOver, type Owned, type Owners, ownersAfterUpdate } from './ownership.ts';
import { mismatches } from './type-check.ts';

/**
 * `metadata.managedFields` as the API server keeps it: apimachinery pkg/util/managedfields (0.36.3).
 * Not modelled: taking over fields from kubectl's annotation kubectl.kubernetes.io/last-applied-configuration.
 */
export type Manager = {
  readonly name: string;
  readonly apiVersion: string;
  readonly subresource: string | undefined;
  /** RFC 3339, whole seconds. */
  readonly now: string;
  readonly type: TypeRef;
  /** Fields that this endpoint writes. */
  readonly writable: (set: FieldSet) => FieldSet;
};

type Managed = { owners: Owners; times: ReadonlyMap<string, string> };

/** Thrown if the applied object does not fit the schema; the message is the server's. */
export class NotTyped extends Error {}

/**
 * The entries after `updated` replaces `live`. `updated` may have entries itself; `[{}]` asks to remove all of them.
 * Objects without managers stay without. `live` is null for an object that is being created.
 */
export function managedAfterUpdate(
  live: KubeObject | null,
  updated: KubeObject,
  manager: Manager,
): ManagedFieldsEntry[] | undefined {
  const managed = decodeEither(live, updated, manager);
  return encode(updateManaged(live, updated, managed, manager, identifierOf(manager, 'Update')));
}

/** Result of a server-side apply. `object` is null when the apply changes nothing but, perhaps, who owns what. */
export function applyManaged(
  live: KubeObject | null,
  applied: KubeObject,
  manager: Manager,
  force: boolean,
): { object: KubeObject | null; managedFields: ManagedFieldsEntry[] | undefined } {
  let managed = decode(live?.metadata.managedFields ?? []) ?? { owners: new Map(), times: new Map() };
  if (live && managed.owners.size === 0) {
    const before: Manager = { ...manager, name: 'before-first-apply' };
    managed = updateManaged(null, live, managed, before, identifierOf(before, 'Update'), 'even-unmanaged');
  }
  refuseUntyped('patch', applied, manager.type, 'refused');
  const identifier = identifierOf(manager, 'Apply');
  const base = live ? withoutManagedFields(live) : { apiVersion: applied.apiVersion, kind: applied.kind };
  refuseUntyped('live', base, manager.type, 'allowed');
  const result = applyOver(base, applied, managed.owners, force, { ...manager, manager: identifier });
  const owners = stripServerFields(result.owners, identifier);
  const times = new Map(managed.times);
  if (result.object !== null) times.set(identifier, manager.now);
  return { object: result.object as KubeObject | null, managedFields: encode({ owners, times }) };
}

/** Whether two versions differ only in the times of their entries; then a write changes nothing. */
export function sameButTimes(
  a: readonly ManagedFieldsEntry[] | undefined,
  b: readonly ManagedFieldsEntry[] | undefined,
): boolean {
  const timeless = (entries: readonly ManagedFieldsEntry[] | undefined) =>
    (entries ?? []).map(({ time: _, ...entry }) => entry);
  return same(timeless(a), timeless(b));
}

/** `"kubectl" with subresource "status" using apps/v1`, as the server names a manager in a conflict. */
export function managerForPeople(identifier: string): { name: string; description: string } {
  const { manager = '', operation, apiVersion, subresource } = parseIdentifier(identifier);
  let description = JSON.stringify(manager);
  if (subresource) description += ` with subresource ${JSON.stringify(subresource)}`;
  if (operation === 'Update') description += ` using ${apiVersion}`;
  return { name: manager, description };
}

function updateManaged(
  live: KubeObject | null,
  updated: KubeObject,
  managed: Managed,
  manager: Manager,
  identifier: string,
  unmanaged: 'stay-unmanaged' | 'even-unmanaged' = 'stay-unmanaged',
): Managed {
  if (unmanaged === 'stay-unmanaged' && live && managed.owners.size === 0) return managed;
  const before = live ? withoutManagedFields(live) : { apiVersion: updated.apiVersion, kind: updated.kind };
  const after = withoutManagedFields(updated);
  // Fields that do not fit the schema cannot be owned; then the server removes all entries.
  if ([before, after].some((object) => mismatches(object, manager.type, 'allowed').length > 0)) {
    return { owners: new Map(), times: new Map() };
  }
  const operation = 'current-operation';
  const owners = new Map(
    stripServerFields(ownersAfterUpdate(before, after, managed.owners, { ...manager, manager: operation }), operation),
  );
  const times = new Map(managed.times);
  const taken = owners.get(operation);
  if (taken) {
    owners.delete(operation);
    const previous = owners.get(identifier);
    owners.set(identifier, previous ? { ...taken, set: union(taken.set, previous.set) } : taken);
    times.set(identifier, manager.now);
  }
  return capped({ owners, times });
}

/** Fields that the server sets, which no entry names. */
const serverFields = setOf(
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((field) => ['f:metadata', `f:${field}`]),
);

function stripServerFields(owners: Owners, identifier: string): Owners {
  const mine = owners.get(identifier);
  if (!mine) return owners;
  const set = difference(mine.set, serverFields);
  const stripped = new Map(owners);
  if (isEmpty(set)) stripped.delete(identifier);
  else stripped.set(identifier, { ...mine, set });
  return stripped;
}

const maxUpdaters = 10;

/** With too many updaters, merges the oldest of each version into `ancient-changes`. internal/capmanagers.go. */
function capped(managed: Managed): Managed {
  const owners = new Map(managed.owners);
  const times = new Map(managed.times);
  const time = (identifier: string) => times.get(identifier) ?? '';
  const updaters = [...owners].filter(([, owned]) => !owned.applied).map(([identifier]) => identifier);
  let left = updaters.length;
  if (left <= maxUpdaters) return managed;
  updaters.sort((a, b) => compareText(time(a), time(b)) || compareText(a, b));
  const firstOfVersion = new Map<string, string>();
  for (const identifier of updaters) {
    if (left <= maxUpdaters) break;
    const owned = owners.get(identifier);
    if (!owned) continue;
    const first = firstOfVersion.get(owned.apiVersion);
    if (first === undefined) {
      firstOfVersion.set(owned.apiVersion, identifier);
      continue;
    }
    const bucket = JSON.stringify({ manager: 'ancient-changes', operation: 'Update', apiVersion: owned.apiVersion });
    const older = owners.get(bucket) ?? owners.get(first);
    if (!owners.has(bucket)) owners.delete(first);
    owners.delete(identifier);
    owners.set(bucket, { ...owned, set: older ? union(owned.set, older.set) : owned.set });
    times.set(bucket, time(identifier));
    left -= 1;
  }
  return { owners, times };
}

function refuseUntyped(
  which: 'patch' | 'live',
  object: unknown,
  type: TypeRef,
  duplicates: 'allowed' | 'refused',
): void {
  const problems = mismatches(object, type, duplicates);
  if (problems.length === 0) return;
  const sentences = problems.map((problem) => problem.sentence);
  const message =
    sentences.length === 1 ? sentences[0] : `errors:\n${sentences.map((sentence) => `  ${sentence}`).join('\n')}`;
  throw new NotTyped(`failed to create typed ${which} object: ${message}`);
}

function withoutManagedFields(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

// ── entries ⇄ owners ────────────────────────────────────────────────────────────────────────────────────────────────

/** The identifier of an entry's manager. An applier keeps its entry when it uses another version; an updater gets a second one. */
function identifierOf({ name, apiVersion, subresource }: Manager, operation: 'Apply' | 'Update'): string {
  return JSON.stringify({
    manager: name,
    operation,
    ...(operation === 'Update' ? { apiVersion } : {}),
    ...(subresource ? { subresource } : {}),
  });
}

type Identity = Pick<ManagedFieldsEntry, 'manager' | 'operation' | 'apiVersion' | 'subresource'>;

// Written by identifierOf only.
const parseIdentifier = (identifier: string): Identity => JSON.parse(identifier) as Identity;

function decodeEither(live: KubeObject | null, updated: KubeObject, manager: Manager): Managed {
  const ofLive = () =>
    decode(live?.metadata.managedFields ?? []) ?? {
      owners: new Map<string, Owned>(),
      times: new Map<string, string>(),
    };
  if (manager.subresource) return ofLive();
  const given = updated.metadata.managedFields ?? [];
  const [only] = given;
  if (given.length === 1 && only && Object.keys(only).length === 0) return { owners: new Map(), times: new Map() };
  const decoded = decode(given);
  return decoded && decoded.owners.size > 0 ? decoded : ofLive();
}

/** Null if an entry is malformed. */
function decode(entries: readonly ManagedFieldsEntry[]): Managed | null {
  const owners = new Map<string, Owned>();
  const times = new Map<string, string>();
  for (const { manager, operation, apiVersion, subresource, time, fieldsType, fieldsV1 } of entries) {
    if ((operation !== 'Apply' && operation !== 'Update') || !apiVersion || fieldsType !== 'FieldsV1') return null;
    const identifier = JSON.stringify({
      ...(manager ? { manager } : {}),
      operation,
      ...(operation === 'Update' ? { apiVersion } : {}),
      ...(subresource ? { subresource } : {}),
    });
    owners.set(identifier, {
      set: fromFieldsV1(isRecord(fieldsV1) ? fieldsV1 : {}),
      apiVersion,
      applied: operation === 'Apply',
    });
    if (time !== undefined) times.set(identifier, time);
  }
  return { owners, times };
}

function encode({ owners, times }: Managed): ManagedFieldsEntry[] | undefined {
  if (owners.size === 0) return undefined;
  const entries = [...owners].map(([identifier, { set, apiVersion, applied }]): ManagedFieldsEntry => {
    const { manager, operation, subresource } = parseIdentifier(identifier);
    const time = times.get(identifier);
    return {
      ...(manager ? { manager } : {}),
      operation: applied ? 'Apply' : (operation ?? 'Update'),
      apiVersion,
      ...(time === undefined ? {} : { time }),
      fieldsType: 'FieldsV1',
      fieldsV1: toFieldsV1(set),
      ...(subresource ? { subresource } : {}),
    };
  });
  return entries.sort(
    (a, b) =>
      compareText(a.operation, b.operation) ||
      compareText(a.time, b.time) ||
      compareText(a.manager, b.manager) ||
      compareText(a.apiVersion, b.apiVersion) ||
      compareText(a.subresource, b.subresource),
  );
}

function compareText(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
