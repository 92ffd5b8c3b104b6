import { isKubeError, type KubeObject } from '#lib/kube/index.ts';

/** The result of one call, without what always differs between two servers: uid, versions, times, and the order of managers. */
export type CallResult = { object: unknown } | { error: unknown };

export function seenObject(object: KubeObject): CallResult {
  const {
    uid: _,
    resourceVersion: __,
    creationTimestamp: ___,
    deletionTimestamp,
    managedFields,
    ...metadata
  } = object.metadata;
  const entries = (managedFields ?? [])
    .map(({ time, ...entry }) => ({ ...entry, timed: time !== undefined }))
    .sort((a, b) => compareText(identity(a), identity(b)));
  return {
    object: { ...object, metadata: { ...metadata, deleting: deletionTimestamp !== undefined, managedFields: entries } },
  };
}

const identity = (entry: { manager?: string; operation?: string; subresource?: string; apiVersion?: string }) =>
  [entry.manager, entry.operation, entry.subresource, entry.apiVersion].join(' ');

export function seenError(error: unknown): CallResult {
  if (!isKubeError(error)) throw error;
  const conflicts = error.detail.conflicts?.map(({ manager, field }) => `${manager} ${field}`).sort();
  return { error: { code: error.code, ...(conflicts ? { conflicts } : {}) } };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
