import { isRecord } from '#lib/base/records.ts';
import type { KubeObject } from '#lib/kube/index.ts';

/**
 * Lists whose members are owned one by one, and the field that identifies a member (kubernetes staging/src/k8s.io/api x-kubernetes-list-map-keys).
 */
const keys: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  env: 'name',
  volumes: 'name',
  imagePullSecrets: 'name',
  volumeMounts: 'mountPath',
};
/** Maps that are owned as a whole. */
const atomic: ReadonlySet<string> = new Set([
  ...['nodeSelector', 'matchLabels', 'selector', 'roleRef', 'configMapKeyRef', 'fieldRef'],
]);
/** Fields that identify an object. No manager owns them. */
const identity: ReadonlySet<string> = new Set(['name', 'namespace', 'uid', 'generation', 'creationTimestamp']);

/** The object with the managedFields of a `kubectl apply`: kubectl owns every field until somebody else writes it. */
export function writtenByKubectl(object: KubeObject): KubeObject {
  const { apiVersion, kind: _kind, metadata, ...fields } = object;
  const own = Object.fromEntries(Object.entries(metadata).filter(([key]) => !identity.has(key)));
  const written = { ...fields, ...(Object.keys(own).length > 0 && { metadata: own }) };
  if (Object.keys(written).length === 0) return object;
  const entry = {
    apiVersion,
    fieldsType: 'FieldsV1',
    fieldsV1: fieldsOf(written),
    manager: 'kubectl-client-side-apply',
    operation: 'Update' as const,
  };
  return { ...object, metadata: { ...metadata, managedFields: [entry] } };
}

function fieldsOf(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [`f:${key}`, below(key, one)]));
}

function below(name: string, value: unknown): Record<string, unknown> {
  const key = keys[name];
  if (Array.isArray(value) && key !== undefined)
    return Object.fromEntries(
      value
        .filter(isRecord)
        .map((member) => [`k:${JSON.stringify({ [key]: member[key] })}`, { '.': {}, ...fieldsOf(member) }]),
    );
  return isRecord(value) && !atomic.has(name) ? fieldsOf(value) : {};
}
