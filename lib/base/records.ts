/** Plain data as `JSON.parse` gives it. */
export type Fields = Record<string, unknown>;

/** Whether a value is a group of fields: neither a list nor null. */
export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of keys, or undefined; items of lists are named by their index. What every object inherits is in none of them. */
export function valueAt(root: unknown, path: readonly (string | number)[]): unknown {
  let value = root;
  for (const key of path) {
    if (Array.isArray(value)) value = /^\d+$/.test(String(key)) ? value[Number(key)] : undefined;
    else if (isRecord(value) && Object.hasOwn(value, key)) value = value[key];
    else return undefined;
  }
  return value;
}

/** Deep equality of plain data, whatever the order of members; a member that is undefined counts as absent, as in JSON. */
export function same(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left))
    return Array.isArray(right) && left.length === right.length && left.every((one, index) => same(one, right[index]));
  if (!isRecord(left) || !isRecord(right)) return false;
  return (
    Object.keys(left).every((key) => same(left[key], Object.hasOwn(right, key) ? right[key] : undefined)) &&
    Object.keys(right).every((key) => right[key] === undefined || Object.hasOwn(left, key))
  );
}

/** JSON with sorted keys, so that the same data always is the same text. Keys without a value are left out, as JSON does. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(withSortedKeys(value));
}

/** Made before `JSON.stringify` and not by its replacer, which is called for every text and number too: half the time. */
function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (!isRecord(value)) return value;
  const sorted: Fields = {};
  for (const key of Object.keys(value).sort()) {
    const member = withSortedKeys(value[key]);
    // As JSON.parse makes it: `__proto__` is a name like any other.
    if (key === '__proto__') Object.defineProperty(sorted, key, { value: member, enumerable: true });
    else sorted[key] = member;
  }
  return sorted;
}

/** What the API server makes of `target` when `patch` is sent: JSON Merge Patch, https://www.rfc-editor.org/rfc/rfc7396. Neither is changed. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  // A Map, and entries made members again: `__proto__` is a name like any other.
  const merged = new Map(Object.entries(isRecord(target) ? target : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else if (value !== undefined) merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

/** Two patches, or two sets of fields, as one; where both have a value the other's stands. Unlike a merge `null` stays, which takes a field out. */
export function joinFields(one: Readonly<Fields>, other: Readonly<Fields>): Fields {
  const entries = Object.entries(other).map(([key, value]) => {
    const known = one[key];
    return [key, isRecord(known) && isRecord(value) ? joinFields(known, value) : value] as const;
  });
  return { ...one, ...Object.fromEntries(entries) };
}

/** The JSON Merge Patch that turns `from` into `to` (lists whole, null removes), or null when nothing differs. */
export function mergeDifference(from: Fields, to: Fields): Fields | null {
  const entries = [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((key): [string, unknown][] => {
    const before = Object.hasOwn(from, key) ? from[key] : undefined;
    const after = Object.hasOwn(to, key) ? to[key] : undefined;
    if (same(before, after)) return [];
    if (after === undefined) return [[key, null]];
    return [[key, isRecord(before) && isRecord(after) ? mergeDifference(before, after) : after]];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}
