import { valueAt } from '#lib/base/records.ts';
import type { KubeObject } from '#lib/kube/index.ts';

/** Who is recorded in managedFields as having written the field. Through the aggregated API that is its server, whoever asked it. */
export function writersOf(object: KubeObject, path: readonly string[]) {
  const keys = path.map((key) => `f:${key}`);
  return (object.metadata.managedFields ?? []).flatMap(({ manager = '', time: at = '', fieldsV1 }) =>
    valueAt(fieldsV1, keys) === undefined ? [] : [{ manager, at, time: Date.parse(at) }],
  );
}
