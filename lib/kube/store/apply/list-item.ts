import { isRecord } from '#lib/base/records.ts';
import type { ListAtom } from '../schema/atom.ts';
import { keyElement, valueElement } from './field-set.ts';
import { TypeMismatch } from './type-mismatch.ts';

/** The path element of an item of an associative list: by its keys, or in a set by its value. */
export function elementOfItem(list: ListAtom, item: unknown): string {
  return list.keys.length > 0 ? keyedElement(list, item) : memberElement(item);
}

function keyedElement(list: ListAtom, item: unknown): string {
  if (item === null || item === undefined)
    throw new TypeMismatch('associative list with keys may not have a null element');
  if (!isRecord(item)) throw new TypeMismatch('associative list with keys may not have non-map elements');
  const keys: [string, unknown][] = [];
  for (const name of list.keys) {
    if (Object.hasOwn(item, name)) {
      keys.push([name, item[name]]);
      continue;
    }
    const fallback = list.element.atom.map?.fields.get(name)?.default;
    // An item without a key that has no default differs from items with any value of the key.
    if (fallback !== undefined && fallback !== null) keys.push([name, fallback]);
  }
  if (keys.length === 0) {
    const names = list.keys.map((name) => JSON.stringify(name)).join(' ');
    throw new TypeMismatch(
      `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
    );
  }
  return keyElement(keys);
}

function memberElement(item: unknown): string {
  if (Array.isArray(item)) throw new TypeMismatch('not supported: associative list with lists as elements');
  if (isRecord(item)) throw new TypeMismatch("associative list without keys has an element that's a map type");
  if (item === null || item === undefined) {
    throw new TypeMismatch("associative list without keys has an element that's an explicit null");
  }
  return valueElement(item);
}
