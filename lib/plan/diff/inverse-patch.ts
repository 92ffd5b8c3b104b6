import { type Fields, isRecord } from '#lib/base/records.ts';

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
