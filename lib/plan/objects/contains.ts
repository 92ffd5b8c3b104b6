import { isRecord } from '#lib/base/records.ts';

/** Whether everything in `written` was found. Additions of the server are ignored, also within lists. */
export function contains(found: unknown, written: unknown): boolean {
  if (Array.isArray(written)) {
    // The server leaves out empty lists.
    if (written.length === 0) return (found ?? null) === null || (Array.isArray(found) && found.length === 0);
    return (
      Array.isArray(found) &&
      found.length === written.length &&
      written.every((element, index) => contains(found[index], element))
    );
  }
  if (isRecord(written)) {
    return Object.entries(written).every(([key, value]) =>
      contains(isRecord(found) && Object.hasOwn(found, key) ? found[key] : undefined, value),
    );
  }
  return found === written || ((found ?? null) === null && (written === null || written === '' || written === false));
}
