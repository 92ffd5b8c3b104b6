import { type Fields, isRecord } from '#lib/base/records.ts';
import { copy, define } from '../json.ts';
import { type Atom, formFor, type ListAtom, type MapAtom, sameForm, type TypeRef } from '../schema/atom.ts';
import { elementOfItem } from './list-item.ts';
import { TypeMismatch } from './type-mismatch.ts';

/**
 * Merges `applied` over `live` by the schema and removes nothing. structured-merge-diff typed/merge.go.
 * Items of an associative list keep their live order unless `applied` changes it. `undefined`: there is no value.
 */
export function merge(live: unknown, applied: unknown, type: TypeRef): unknown {
  const formLive = formFor(type.atom, live);
  const formApplied = formFor(type.atom, applied);
  if (applied === undefined) return mergeAs(formLive, live, applied);
  if (live === undefined || sameForm(formLive, formApplied)) return mergeAs(formApplied, live, applied);
  return mergeAs(formApplied, live, applied);
}

function mergeAs(form: Atom, live: unknown, applied: unknown): unknown {
  if (form.map) return mergeMaps(form.map, live, applied);
  if (form.list && !form.scalar) return mergeLists(form.list, live, applied);
  return leaf(live, applied);
}

function leaf(live: unknown, applied: unknown): unknown {
  return copy(applied !== undefined ? applied : live);
}

function mergeMaps(map: MapAtom, live: unknown, applied: unknown): unknown {
  const left = isRecord(live) ? live : {};
  const right = isRecord(applied) ? applied : {};
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  // An empty container and null are different values, and there are no members to merge.
  if (map.atomic || names.size === 0) return leaf(live, applied);
  const out: Fields = {};
  for (const name of names) {
    const type = map.fields.get(name)?.type ?? map.element;
    if (!type) continue;
    const merged = merge(
      Object.hasOwn(left, name) ? left[name] : undefined,
      Object.hasOwn(right, name) ? right[name] : undefined,
      type,
    );
    if (merged !== undefined) define(out, name, merged);
  }
  return Object.keys(out).length > 0 ? out : undefined;
}

type Indexed = { elements: string[]; items: Map<string, unknown> };

function mergeLists(list: ListAtom, live: unknown, applied: unknown): unknown {
  const left = Array.isArray(live) ? live : [];
  const right = Array.isArray(applied) ? applied : [];
  if (list.relationship === 'atomic' || (left.length === 0 && right.length === 0)) return leaf(live, applied);

  const applies = index(list, right, 'refused');
  const lives = index(list, left, 'allowed');
  const out: unknown[] = [];
  const put = (liveItem: unknown, appliedItem: unknown) => {
    const merged = merge(liveItem, appliedItem, list.element);
    if (merged !== undefined) out.push(merged);
  };
  const shared = applies.elements.filter((element) => lives.items.has(element));
  let nextShared = shared.shift();
  const mergedAlready = new Set<string>();
  const { elements: l } = lives;
  const { elements: r } = applies;

  for (let li = 0, ri = 0; li < l.length || ri < r.length; ) {
    const onLeft = l[li];
    const onRight = r[ri];
    if (onLeft !== undefined && onRight !== undefined) {
      if (onLeft === onRight) {
        mergedAlready.add(onLeft);
        put(lives.items.get(onLeft), applies.items.get(onLeft));
        li++;
        ri++;
        nextShared = shared.shift();
        continue;
      }
      // In both lists, but not the next in the applied order.
      if (applies.items.has(onLeft) && nextShared !== undefined && nextShared !== onLeft) {
        li++;
        continue;
      }
    }
    if (onLeft !== undefined) {
      if (!applies.items.has(onLeft)) {
        put(left[li], undefined);
        li++;
        continue;
      }
      if (mergedAlready.has(onLeft)) li++;
    }
    if (onRight !== undefined) {
      mergedAlready.add(onRight);
      put(lives.items.get(onRight), applies.items.get(onRight));
      ri++;
      if (nextShared === onRight) nextShared = shared.shift();
    }
  }
  return out.length > 0 ? out : undefined;
}

/** Duplicated items are not merged; their value counts as null. */
function index(list: ListAtom, items: readonly unknown[], duplicates: 'allowed' | 'refused'): Indexed {
  const indexed: Indexed = { elements: [], items: new Map() };
  for (const item of items) {
    const element = elementOfItem(list, item);
    if (indexed.items.has(element)) {
      if (duplicates === 'refused') throw new TypeMismatch(`duplicate entries for key ${element}`);
      indexed.items.set(element, null);
    } else {
      indexed.items.set(element, item);
    }
    indexed.elements.push(element);
  }
  return indexed;
}
