import { isRecord, valueAt } from '#lib/base/records.ts';

/** Fields of a pod, its volumes, containers and accounts that name another object of the namespace. */
const byField: Readonly<Record<string, readonly [kind: string, field: string]>> = {
  configMap: ['ConfigMap', 'name'],
  configMapRef: ['ConfigMap', 'name'],
  configMapKeyRef: ['ConfigMap', 'name'],
  secret: ['Secret', 'secretName'],
  secretRef: ['Secret', 'name'],
  secretKeyRef: ['Secret', 'name'],
};

/** Paths of the pod spec in an object; in a Pod it is the object's own. */
const places: readonly (readonly string[])[] = [
  ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  ['spec', 'template', 'spec'],
  ['spec'],
];

/** Ids of objects that the pods of this object name, `kube-system/ConfigMap/old`: ConfigMaps, Secrets, accounts, priorities. Empty without pods. Pure. */
export function namedByPods(object: unknown, namespace: string): ReadonlySet<string> {
  const found = new Set<string>();
  const pod = places
    .map((place) => valueAt(object, place))
    .find((one) => isRecord(one) && Array.isArray(one.containers));
  if (!isRecord(pod)) return found;
  const say = (kind: string, name: unknown) => {
    if (typeof name === 'string') found.add(`${namespace}/${kind}/${name}`);
  };
  say('ServiceAccount', pod.serviceAccountName);
  if (typeof pod.priorityClassName === 'string') found.add(`PriorityClass/${pod.priorityClassName}`);
  if (Array.isArray(pod.imagePullSecrets))
    for (const one of pod.imagePullSecrets) say('Secret', valueAt(one, ['name']));
  within(pod, (key, value) => {
    const [kind, field] = byField[key] ?? [];
    // A projected volume names its Secret by `name`, like its ConfigMap.
    if (kind && field) say(kind, value[field] ?? value.name);
  });
  return found;
}

/** Names of a workload's image pull Secrets; empty for other objects. */
export function pullSecretsOf(workload: unknown): string[] {
  return namesIn(valueAt(workload, ['spec', 'template', 'spec', 'imagePullSecrets']));
}

/** The names in a list of references, as in `imagePullSecrets`. */
export function namesIn(references: unknown): string[] {
  if (!Array.isArray(references)) return [];
  return references.flatMap((one) => {
    const name = valueAt(one, ['name']);
    return typeof name === 'string' && name !== '' ? [name] : [];
  });
}

function within(value: unknown, say: (key: string, value: Record<string, unknown>) => void): void {
  if (Array.isArray(value)) for (const one of value) within(one, say);
  if (!isRecord(value)) return;
  for (const [key, one] of Object.entries(value)) {
    if (isRecord(one)) say(key, one);
    within(one, say);
  }
}
