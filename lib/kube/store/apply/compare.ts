import { isRecord, same } from '#lib/base/records.ts';
import { type Atom, formFor, type ListAtom, type MapAtom, sameForm, type TypeRef } from '../schema/atom.ts';
import { type FieldPath, FieldSetBuilder, fieldElement } from './field-set.ts';
import { elementOfItem } from './list-item.ts';

/** Which fields a change touches. structured-merge-diff typed/compare.go. */
export type Comparison = { removed: FieldSetBuilder; modified: FieldSetBuilder; added: FieldSetBuilder };

/** `undefined` means absent, `null` is a value. Atomic lists and maps are compared as a whole. */
export function compare(before: unknown, after: unknown, type: TypeRef): Comparison {
  const found: Comparison = {
    removed: new FieldSetBuilder(),
    modified: new FieldSetBuilder(),
    added: new FieldSetBuilder(),
  };
  compareAt([], before, after, type, found);
  return found;
}

function compareAt(path: FieldPath, before: unknown, after: unknown, type: TypeRef, found: Comparison): void {
  const formBefore = formFor(type.atom, before);
  const formAfter = formFor(type.atom, after);
  let leaf: boolean;
  if (after === undefined) leaf = compareAs(formBefore, path, before, after, found);
  else if (before === undefined || sameForm(formBefore, formAfter))
    leaf = compareAs(formAfter, path, before, after, found);
  else {
    compareAs(formBefore, path, before, after, found);
    leaf = compareAs(formAfter, path, before, after, found);
  }
  if (leaf) return;
  if (before === undefined) found.added.insert(path);
  else if (after === undefined) found.removed.insert(path);
}

/** Returns whether the value was compared as a whole. */
function compareAs(form: Atom, path: FieldPath, before: unknown, after: unknown, found: Comparison): boolean {
  if (form.map) return compareMaps(form.map, path, before, after, found);
  if (form.list && !form.scalar) return compareLists(form.list, path, before, after, found);
  compareLeaf(path, before, after, found);
  return true;
}

function compareLeaf(path: FieldPath, before: unknown, after: unknown, found: Comparison): void {
  if (before === undefined) found.added.insert(path);
  else if (after === undefined) found.removed.insert(path);
  else if (!same(before, after)) found.modified.insert(path);
}

function compareMaps(map: MapAtom, path: FieldPath, before: unknown, after: unknown, found: Comparison): boolean {
  const left = isRecord(before) ? before : {};
  const right = isRecord(after) ? after : {};
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  if (map.atomic || names.size === 0) {
    compareLeaf(path, before, after, found);
    return true;
  }
  for (const name of names) {
    const type = map.fields.get(name)?.type ?? map.element;
    if (type) compareAt([...path, fieldElement(name)], memberOf(left, name), memberOf(right, name), type, found);
  }
  return false;
}

function memberOf(fields: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function compareLists(list: ListAtom, path: FieldPath, before: unknown, after: unknown, found: Comparison): boolean {
  const left = Array.isArray(before) ? before : [];
  const right = Array.isArray(after) ? after : [];
  if (list.relationship === 'atomic' || (left.length === 0 && right.length === 0)) {
    compareLeaf(path, before, after, found);
    return true;
  }
  const lefts = byElement(list, left);
  const rights = byElement(list, right);
  for (const element of new Set([...lefts.keys(), ...rights.keys()])) {
    const at = [...path, element];
    const l = lefts.get(element) ?? [];
    const r = rights.get(element) ?? [];
    if (l.length <= 1 && r.length <= 1) {
      compareAt(at, l[0], r[0], list.element, found);
    } else if (l.length >= 2 && r.length >= 2) {
      // Items that are duplicated on either side are compared together.
      if (!same(l, r)) found.modified.insert(at);
    } else if (l.length >= 2) {
      if (r.length > 0) compareAt(at, undefined, r[0], list.element, found);
      found.removed.insert(at);
    } else {
      if (l.length > 0) compareAt(at, l[0], undefined, list.element, found);
      found.added.insert(at);
    }
  }
  return false;
}

function byElement(list: ListAtom, items: readonly unknown[]): Map<string, unknown[]> {
  return Map.groupBy(items, (item) => elementOfItem(list, item));
}
