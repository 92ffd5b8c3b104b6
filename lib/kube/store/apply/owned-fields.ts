import { isRecord } from '#lib/base/records.ts';
import { type Atom, formFor, type ListAtom, type MapAtom, type TypeRef } from '../schema/atom.ts';
import { type FieldPath, type FieldSet, FieldSetBuilder, fieldElement } from './field-set.ts';
import { elementOfItem } from './list-item.ts';

/** All leaf fields and list items of a value, which its applier owns. structured-merge-diff typed/tofieldset.go. */
export function ownedFields(value: unknown, type: TypeRef): FieldSet {
  const set = new FieldSetBuilder();
  collect([], value, type, set);
  return set;
}

function collect(path: FieldPath, value: unknown, type: TypeRef, set: FieldSetBuilder): void {
  const form: Atom = formFor(type.atom, value);
  if (form.map) collectMap(form.map, path, value, set);
  else if (form.scalar) set.insert(path);
  else if (form.list) collectList(form.list, path, value, set);
}

function collectMap(map: MapAtom, path: FieldPath, value: unknown, set: FieldSetBuilder): void {
  if (map.atomic) {
    set.insert(path);
    return;
  }
  if (!isRecord(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const at = [...path, fieldElement(name)];
    const declared = map.fields.get(name);
    const type = declared?.type ?? map.element;
    if (!type) continue;
    collect(at, member, type, set);
    // Undeclared members of a map and empty containers are owned as a whole.
    if (member === null || !declared || (isRecord(member) && Object.keys(member).length === 0)) set.insert(at);
  }
}

function collectList(list: ListAtom, path: FieldPath, value: unknown, set: FieldSetBuilder): void {
  if (list.relationship === 'atomic') {
    set.insert(path);
    return;
  }
  if (!Array.isArray(value)) return;
  for (const [element, items] of Map.groupBy(value, (item) => elementOfItem(list, item))) {
    const at = [...path, element];
    if (items.length === 1) collect(at, items[0], list.element, set);
    set.insert(at);
  }
}
