import { isRecord, valueAt } from '#lib/base/records.ts';
import type { Facts } from '#lib/facts/index.ts';
import { namedByPods } from '#lib/spec/index.ts';

/**
 * The objects that use this one (`kube-system/ConfigMap/old`): workloads by their pods, bindings by role and account; and those of `others`, the
 * workloads of its namespace that are not kept whole. By id. Pure.
 */
export function usersOf(
  id: string,
  objects: Readonly<Record<string, unknown>>,
  others: Facts['upgrade']['users'] = [],
): string[] {
  const own = Object.entries(objects).flatMap(([user, object]) =>
    user !== id && object && namedIn(user, object).has(id) ? [user] : [],
  );
  return [...own, ...others.flatMap(({ user, uses }) => (!objects[user] && uses.includes(id) ? [user] : []))];
}

function namedIn(user: string, object: unknown): ReadonlySet<string> {
  const [namespace = ''] = user.split('/').length === 3 ? user.split('/') : [''];
  const found = new Set(namedByPods(object, namespace));
  const say = (where: unknown, kind: string, name: unknown) => {
    if (typeof name === 'string') found.add(`${where ? `${where}/` : ''}${kind}/${name}`);
  };
  const role = valueAt(object, ['roleRef']);
  if (isRecord(role)) say(role.kind === 'Role' ? namespace : '', String(role.kind), role.name);
  const subjects = valueAt(object, ['subjects']);
  for (const one of Array.isArray(subjects) ? subjects : [])
    if (isRecord(one) && one.kind === 'ServiceAccount') say(one.namespace, 'ServiceAccount', one.name);
  return found;
}
