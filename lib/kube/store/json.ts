import { type Fields, isRecord } from '#lib/base/records.ts';

/** Deep copy of plain data: objects in the store are never shared with callers, what comes in and goes out is copied. Members that are `undefined` are left out, as JSON does. */
export function copy<T>(value: T): T;
export function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => copy(item));
  if (!isRecord(value)) return value;
  const out: Fields = {};
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member !== undefined) define(out, key, copy(member));
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
