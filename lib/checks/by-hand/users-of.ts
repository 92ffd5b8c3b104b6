import { isRecord, valueAt } from '#lib/base/records.ts';

/** By which fields of a pod, of its volumes, containers and accounts included, an object of its namespace is named. */
const byField: Readonly<Record<string, readonly [kind: string, field: string]>> = {
  configMap: ['ConfigMap', 'name'],
  configMapRef: ['ConfigMap', 'name'],
  configMapKeyRef: ['ConfigMap', 'name'],
  secret: ['Secret', 'secretName'],
  secretRef: ['Secret', 'name'],
  secretKeyRef: ['Secret', 'name'],
};

/**
 * Who of the objects that were read names this one (`kube-system/ConfigMap/old`): workloads by their pods, bindings by role and account. Each by its
 * own id. What was not read may use it too. Pure.
 */
export function usersOf(id: string, objects: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(objects).flatMap(([user, object]) =>
    user !== id && object && namedIn(user, object).has(id) ? [user] : [],
  );
}

function namedIn(user: string, object: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const [namespace] = user.split('/').length === 3 ? user.split('/') : [''];
  const say = (where: unknown, kind: string, name: unknown) => {
    if (typeof name === 'string') found.add(`${where ? `${where}/` : ''}${kind}/${name}`);
  };
  const pod = valueAt(object, ['spec', 'template', 'spec']);
  if (isRecord(pod)) {
    say(namespace, 'ServiceAccount', pod.serviceAccountName);
    say('', 'PriorityClass', pod.priorityClassName);
    for (const one of listOf(pod.imagePullSecrets)) say(namespace, 'Secret', valueAt(one, ['name']));
    within(pod, (key, value) => {
      const [kind, field] = byField[key] ?? [];
      // A projected volume names its Secret as it does its ConfigMap.
      if (kind && field) say(namespace, kind, value[field] ?? value.name);
    });
  }
  const role = valueAt(object, ['roleRef']);
  if (isRecord(role)) say(role.kind === 'Role' ? namespace : '', String(role.kind), role.name);
  for (const one of listOf(valueAt(object, ['subjects'])))
    if (isRecord(one) && one.kind === 'ServiceAccount') say(one.namespace, 'ServiceAccount', one.name);
  return found;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function within(value: unknown, say: (key: string, value: Record<string, unknown>) => void): void {
  if (Array.isArray(value)) for (const one of value) within(one, say);
  if (!isRecord(value)) return;
  for (const [key, one] of Object.entries(value)) {
    if (isRecord(one)) say(key, one);
    within(one, say);
  }
}
