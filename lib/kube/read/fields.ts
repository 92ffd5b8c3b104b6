import { valueAt } from '#lib/base/records.ts';
import type { KubeObject } from '../object.ts';

/** When the field was last written, in ms since 1970, to the second: the time of the latest entry of managedFields that owns it. Null: no entry owns it. */
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
