import type { KubeObject } from '../object.ts';

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
