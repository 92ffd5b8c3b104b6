import { type Fields, isRecord } from '#lib/base/records.ts';

/**
 * A deep copy of plain data. The store shares no objects with callers: it copies what comes in and what goes out. Members that are `undefined` are left
 * out, as in JSON.
 *
 * Every read and write passes here; it took a sixth of the processor time of a simulated run. `for … in` instead of `Object.keys`, and no call for text and
 * numbers, make it a third cheaper.
 */
export function copy<T>(value: T): T;
export function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => copy(item));
  if (!isRecord(value)) return value;
  const out: Fields = {};
  for (const key in value) {
    const member = value[key];
    if (typeof member === 'object' || key === '__proto__') define(out, key, copy(member));
    else if (member !== undefined) out[key] = member;
  }
  return out;
}

/** Assigns as JSON.parse does: `__proto__` becomes a member like any other, so that no input reaches a prototype. */
export function define(target: Fields, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}
