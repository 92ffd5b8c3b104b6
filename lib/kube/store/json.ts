/** Plain data as JSON.parse gives it. Objects in the store are never shared with callers: what comes in and goes out is copied. */
export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deep copy of plain data. Members that are `undefined` are left out, as JSON does. */
export function copy<T>(value: T): T;
export function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => copy(item));
  if (!isFields(value)) return value;
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

/** Deep equality of plain data; the order of an object's members does not matter. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]));
  }
  if (!isFields(a) || !isFields(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));
}
