import { same, valueAt } from '#lib/base/records.ts';

/** For people: `spec.template.metadata.annotations['signalbox.dev/endpoint-hash']`. */
export function pathText(path: readonly string[]): string {
  return path.reduce(
    (text, key) => (/^[A-Za-z0-9_]+$/.test(key) ? `${text}${text ? '.' : ''}${key}` : `${text}['${key}']`),
    '',
  );
}

/** Whether a merge patch (RFC 7396) would change nothing. */
export function mergeHolds(object: unknown, patch: Record<string, unknown>): boolean {
  return Object.entries(patch).every(([key, value]) => {
    const current = valueAt(object, [key]);
    if (value === null) return current === undefined || current === null;
    if (typeof value === 'object' && !Array.isArray(value))
      return typeof current === 'object' && current !== null && mergeHolds(current, value as Record<string, unknown>);
    return same(current, value);
  });
}
