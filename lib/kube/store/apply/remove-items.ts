import { type Fields, isRecord } from '#lib/base/records.ts';
import { copy, define } from '../json.ts';
import { type Atom, formFor, type ListAtom, type MapAtom, type TypeRef } from '../schema/atom.ts';
import { type FieldSet, fieldElement, isEmpty } from './field-set.ts';
import { elementOfItem } from './list-item.ts';

/**
 * A value without the fields and items of a set. structured-merge-diff typed/remove.go (v6.3.3).
 * A container that becomes empty is null, as there.
 */
export function removeItems(value: unknown, unwanted: FieldSet, type: TypeRef): unknown {
  const form: Atom = formFor(type.atom, value);
  if (form.map) return withoutMembers(form.map, value, unwanted);
  if (form.scalar) return copy(value);
  return form.list ? withoutListItems(form.list, value, unwanted) : null;
}

function withoutMembers(map: MapAtom, value: unknown, unwanted: FieldSet): unknown {
  if (map.atomic || !isRecord(value)) return null;
  const out: Fields = {};
  for (const [name, member] of Object.entries(value)) {
    const element = fieldElement(name);
    if (unwanted.members.has(element)) continue;
    const below = unwanted.children.get(element);
    const type = map.fields.get(name)?.type ?? map.element;
    define(out, name, below && !isEmpty(below) && type ? removeItems(member, below, type) : copy(member));
  }
  return Object.keys(out).length > 0 ? out : null;
}

function withoutListItems(list: ListAtom, value: unknown, unwanted: FieldSet): unknown {
  if (list.relationship === 'atomic' || !Array.isArray(value)) return null;
  const out: unknown[] = [];
  for (const item of value) {
    const element = elementOfItem(list, item);
    if (unwanted.members.has(element)) continue;
    const below = unwanted.children.get(element);
    out.push(below && !isEmpty(below) ? removeItems(item, below, list.element) : copy(item));
  }
  return out.length > 0 ? out : null;
}
