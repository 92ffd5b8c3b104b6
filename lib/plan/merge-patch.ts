/** JSON Merge Patch and its inverse, on plain data. https://www.rfc-editor.org/rfc/rfc7386 */

export type Json = Record<string, unknown>;

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What the server makes of `target` when `patch` is sent. Neither is changed. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJson(patch)) return patch;
  const merged = new Map(Object.entries(isJson(target) ? target : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

/**
 * Maps in which others keep keys of their own, and structures into which the operator writes its defaults: even where we created
 * them, an undo takes out only our own keys. Anything else that we created goes away as a whole (an empty `dnsConfig` is not no `dnsConfig`).
 */
const sharedMaps: ReadonlySet<string> = new Set([
  'annotations',
  'labels',
  'nodeSelector',
  'data',
  'metadata',
  'spec',
  'calicoNetwork',
]);

/** The patch that takes `patch` back on an object that was `before`: earlier values, and `null` for what was not there. */
export function inversePatch(before: unknown, patch: Json): Json {
  const earlier = isJson(before) ? before : {};
  return Object.fromEntries(
    Object.entries(patch).map(([key, value]) => [key, inverseOf(key, earlier[key], value)] as const),
  );
}

function inverseOf(key: string, earlier: unknown, value: unknown): unknown {
  if (isJson(value) && isJson(earlier)) return inversePatch(earlier, value);
  if (earlier !== undefined) return earlier;
  return isJson(value) && sharedMaps.has(key) ? inversePatch({}, value) : null;
}
