import { visible } from './visible.ts';

/** Data for a page: every text in it, including keys, in the form of `visible`. An object that needs no change is returned itself, not copied. */
export function visibleData<T>(data: T): T;
export function visibleData(data: unknown): unknown {
  if (typeof data === 'string') return visible(data);
  if (typeof data !== 'object' || data === null) return data;
  const known = answers.get(data);
  if (known !== undefined) return known;
  const answer = Array.isArray(data) ? shownList(data) : isPlainRecord(data) ? shownRecord(data) : data;
  answers.set(data, answer);
  return answer;
}

/** Shown data are not changed afterwards, and many pages show the same facts and plans. */
const answers = new WeakMap<object, unknown>();

function shownList(list: readonly unknown[]): unknown {
  const items = list.map((one) => visibleData(one));
  return items.every((one, index) => one === list[index]) ? list : items;
}

function shownRecord(record: Readonly<Record<string, unknown>>): unknown {
  const entries = Object.entries(record);
  const next = entries.map(([key, value]) => [visible(key), visibleData(value)] as const);
  const isSame = next.every(([key, value], index) => key === entries[index]?.[0] && value === entries[index]?.[1]);
  return isSame ? record : Object.fromEntries(next);
}

function isPlainRecord(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
