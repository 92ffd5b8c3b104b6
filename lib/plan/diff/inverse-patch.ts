import { type Fields, isRecord } from '#lib/base/records.ts';

/**
 * Maps in which others keep keys too, or into which the operator writes defaults: an undo removes only our keys, even if we created the map. Anything
 * else that we created is removed whole (an empty `dnsConfig` differs from no `dnsConfig`).
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

/** The patch that undoes `patch` on an object that was `before`: the earlier values, and `null` for what was absent. */
export function inversePatch(before: unknown, patch: Fields): Fields {
  const earlier = isRecord(before) ? before : {};
  return Object.fromEntries(
    Object.entries(patch).map(([key, value]) => [key, inverseOf(key, earlier[key], value)] as const),
  );
}

function inverseOf(key: string, earlier: unknown, value: unknown): unknown {
  if (isRecord(value) && isRecord(earlier)) return inversePatch(earlier, value);
  if (earlier !== undefined) return earlier;
  return isRecord(value) && sharedMaps.has(key) ? inversePatch({}, value) : null;
}
