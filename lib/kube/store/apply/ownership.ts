import { same } from '#lib/base/records.ts';
import type { Atom, TypeRef } from '../schema/atom.ts';
import { compare } from './compare.ts';
import {
  difference,
  type FieldPath,
  type FieldSet,
  intersection,
  isEmpty,
  pathsOf,
  recursiveDifference,
  setOf,
  union,
} from './field-set.ts';
import { merge } from './merge.ts';
import { ownedFields } from './owned-fields.ts';
import { removeItems } from './remove-items.ts';

/**
 * The owners of fields, and how an update or an apply changes them: structured-merge-diff merge/update.go (v6.3.3).
 * The caller chooses the identifiers of managers. All sets use one schema; conversion between versions is not modelled.
 */
export type Owners = ReadonlyMap<string, Owned>;
export type Owned = { readonly set: FieldSet; readonly apiVersion: string; readonly applied: boolean };

export type OwnedField = { manager: string; path: FieldPath };

/** Thrown by an apply without `force` that would change fields of other managers. */
export class OwnershipConflict extends Error {
  readonly fields: readonly OwnedField[];

  constructor(fields: readonly OwnedField[]) {
    super('fields are owned by other managers');
    this.name = 'OwnershipConflict';
    this.fields = fields;
  }
}

type Context = {
  type: TypeRef;
  apiVersion: string;
  manager: string;
  /** Drops fields that this endpoint does not write (status on the main resource, all but status on the other). */
  writable: (set: FieldSet) => FieldSet;
};

/** Owners after an object was replaced or patched: the manager that changes a field becomes its only owner. */
export function ownersAfterUpdate(live: unknown, updated: unknown, owners: Owners, context: Context): Owners {
  const { manager, writable, apiVersion } = context;
  const reconciled = reconcile(owners, context.type);
  const changes = changesOf(live, updated, context);
  const after = handOver(reconciled, changes, manager, 'force');
  const mine = after.get(manager)?.set ?? setOf();
  const set = writable(union(difference(mine, changes.removed), changes.changed));
  if (isEmpty(set)) after.delete(manager);
  else after.set(manager, { set, apiVersion, applied: false });
  return after;
}

/** The live object merged with the applied one, without fields that are no longer applied. `object` is null if nothing changed. */
export function applyOver(
  live: unknown,
  applied: unknown,
  owners: Owners,
  force: boolean,
  context: Context,
): { object: unknown; owners: Owners } {
  const { manager, writable, apiVersion, type } = context;
  const reconciled = new Map(reconcile(owners, type));
  const last = reconciled.get(manager);
  reconciled.set(manager, { set: writable(ownedFields(applied, type)), apiVersion, applied: true });
  const object = prune(merge(live, applied, type), last?.set, reconciled, type);
  const after = handOver(reconciled, changesOf(live, object, context), manager, force ? 'force' : 'refuse');
  return { object: same(live, object) ? null : object, owners: after };
}

/** `changed`: modified or added. */
type Changes = { changed: FieldSet; removed: FieldSet };

function changesOf(before: unknown, after: unknown, { type, writable }: Context): Changes {
  const found = compare(before, after, type);
  return { changed: writable(union(found.modified, found.added)), removed: writable(found.removed) };
}

/** Removes fields that `manager` changed from other owners, and fields that no longer exist from all. Managers without fields are dropped. */
function handOver(
  owners: Owners,
  changes: Changes,
  manager: string,
  onConflict: 'force' | 'refuse',
): Map<string, Owned> {
  const conflicts: OwnedField[] = [];
  const after = new Map<string, Owned>();
  for (const [name, owned] of owners) {
    if (name === manager) {
      after.set(name, owned);
      continue;
    }
    const disputed = intersection(owned.set, changes.changed);
    conflicts.push(...pathsOf(disputed).map((path) => ({ manager: name, path })));
    after.set(name, { ...owned, set: difference(difference(owned.set, disputed), changes.removed) });
  }
  if (conflicts.length > 0 && onConflict === 'refuse') throw new OwnershipConflict(conflicts);
  for (const [name, owned] of after) if (isEmpty(owned.set)) after.delete(name);
  return after;
}

/** Removes fields that this manager applied last time but not now, and that no other manager owns. */
function prune(merged: unknown, last: FieldSet | undefined, owners: Owners, type: TypeRef): unknown {
  if (!last || isEmpty(last)) return merged;
  let pruned = removeItems(merged, withNamedFields(last, type.atom), type);
  let owned: FieldSet = setOf();
  for (const { set } of owners.values()) owned = union(owned, set);
  const all = withNamedFields(ownedFields(merged, type), type.atom);
  // Add back fields of other managers …
  const left = withNamedFields(ownedFields(pruned, type), type.atom);
  pruned = removeItems(merged, difference(all, union(left, withNamedFields(owned, type.atom))), type);
  // … and fields below them that this manager has not applied.
  const leftNow = withNamedFields(ownedFields(pruned, type), type.atom);
  return removeItems(merged, intersection(difference(all, leftNow), withNamedFields(last, type.atom)), type);
}

/** Makes declared fields on the path to a member members, so that what is below them is removed with them. */
function withNamedFields(set: FieldSet, atom: Atom | undefined): FieldSet {
  const members = new Set(set.members);
  const children = new Map<string, FieldSet>();
  for (const [element, child] of set.children) {
    let below: TypeRef | null | undefined;
    if (element.startsWith('f:')) {
      const declared = atom?.map?.fields.get(element.slice(2));
      if (declared) members.add(element);
      below = declared?.type ?? atom?.map?.element;
    } else if (element.startsWith('k:')) {
      below = atom?.list?.element;
    }
    children.set(element, withNamedFields(child, below?.atom));
  }
  return { members, children };
}

/**
 * Adapts sets from before the schema made a list or map atomic: owners of parts become owners of the whole.
 * typed/reconcile_schema.go.
 */
function reconcile(owners: Owners, type: TypeRef): Owners {
  return new Map(
    [...owners].map(([manager, owned]) => {
      const roots: FieldPath[] = [];
      findAtomicRoots(owned.set, type, [], 'below', roots);
      if (roots.length === 0) return [manager, owned];
      const rootSet = setOf(...roots);
      return [manager, { ...owned, set: union(recursiveDifference(owned.set, rootSet), rootSet) }];
    }),
  );
}

function findAtomicRoots(
  set: FieldSet | undefined,
  type: TypeRef,
  path: FieldPath,
  at: 'leaf' | 'below',
  roots: FieldPath[],
): void {
  const { map, scalar, list } = type.atom;
  if (map) {
    const untypedMap = map.fields.size === 0 && (map.element === null || map.element.atom.scalar === 'untyped');
    if (untypedMap) return;
    if (at === 'below' && map.atomic) {
      if (set && !isEmpty(set)) roots.push(path);
      return;
    }
    for (const element of elementsOf(set)) {
      const below = map.fields.get(element.slice(2))?.type ?? map.element;
      if (below) findAtomicRoots(set?.children.get(element), below, [...path, element], formAt(set, element), roots);
    }
    return;
  }
  if (scalar || !list) return;
  if (at === 'below' && list.relationship === 'atomic') {
    roots.push(path);
    return;
  }
  for (const element of elementsOf(set)) {
    findAtomicRoots(set?.children.get(element), list.element, [...path, element], formAt(set, element), roots);
  }
}

function elementsOf(set: FieldSet | undefined): Iterable<string> {
  return set ? set.members.union(new Set(set.children.keys())) : [];
}

function formAt(set: FieldSet | undefined, element: string): 'leaf' | 'below' {
  return set?.members.has(element) && !set.children.has(element) ? 'leaf' : 'below';
}
