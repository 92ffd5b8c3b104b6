import { valueAt } from '#lib/kube/index.ts';

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
