import type { KubeObject } from '#lib/kube/index.ts';

/** The value at a list of keys, or undefined. Array elements are named by their index. */
export function valueAt(object: unknown, path: readonly string[]): unknown {
  let value: unknown = object;
  for (const key of path) {
    // What every object inherits is in none of them.
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** For people: `spec.template.metadata.annotations['signalbox.dev/endpoint-hash']`. */
export function pathText(path: readonly string[]): string {
  return path.reduce(
    (text, key) => (/^[A-Za-z0-9_]+$/.test(key) ? `${text}${text ? '.' : ''}${key}` : `${text}['${key}']`),
    '',
  );
}

/** Deep equality of JSON values; the order of keys does not matter, that of lists does. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (
    a === null ||
    b === null ||
    typeof a !== 'object' ||
    typeof b !== 'object' ||
    Array.isArray(a) !== Array.isArray(b)
  )
    return false;
  const left = Object.entries(a).filter(([, value]) => value !== undefined);
  const right = b as Record<string, unknown>;
  return (
    left.length === Object.values(right).filter((value) => value !== undefined).length &&
    left.every(([key, value]) => sameJson(value, right[key]))
  );
}

/** Whether a merge patch (RFC 7396) would change nothing. */
export function mergeHolds(object: unknown, patch: Record<string, unknown>): boolean {
  return Object.entries(patch).every(([key, value]) => {
    const current = valueAt(object, [key]);
    if (value === null) return current === undefined || current === null;
    if (typeof value === 'object' && !Array.isArray(value))
      return typeof current === 'object' && current !== null && mergeHolds(current, value as Record<string, unknown>);
    return sameJson(current, value);
  });
}

/** When the field was last written, by managedFields: the latest entry that owns it, in ms, or null when nobody is recorded. Second resolution. */
export function writtenAt(object: KubeObject, path: readonly string[]): number | null {
  let latest: number | null = null;
  for (const entry of object.metadata.managedFields ?? []) {
    if (
      entry.time === undefined ||
      valueAt(
        entry.fieldsV1,
        path.map((key) => `f:${key}`),
      ) === undefined
    )
      continue;
    const time = Date.parse(entry.time);
    if (!Number.isNaN(time) && (latest === null || time > latest)) latest = time;
  }
  return latest;
}
