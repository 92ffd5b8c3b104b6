import { valueAt } from '#lib/base/records.ts';
import type { KubeObject } from '#lib/kube/index.ts';

/** Field managers that wrote a field, by managedFields. For writes through Calico's aggregated API that is always its server. */
export function writersOf(object: KubeObject, path: readonly string[]) {
  const keys = path.map((key) => `f:${key}`);
  return (object.metadata.managedFields ?? []).flatMap(({ manager = '', time: at = '', fieldsV1 }) =>
    valueAt(fieldsV1, keys) === undefined ? [] : [{ manager, at, time: Date.parse(at) }],
  );
}
