import type { MissingRule } from '../error.ts';
import { KubeError } from '../error.ts';

/** A permission in the form of a Role's rule. `*` matches everything. Without `namespaces` it applies everywhere. */
export type AccessRule = {
  verbs: readonly string[];
  groups: readonly string[];
  /** Plural names; a subresource is written `pods/log`. */
  resources: readonly string[];
  names?: readonly string[];
  namespaces?: readonly string[];
};

export type StoreUser = { name: string; rules: readonly AccessRule[] };

/** Whether a rule of the user allows it, as RBAC decides. https://kubernetes.io/docs/reference/access-authn-authz/rbac/ */
export function mayDo(user: StoreUser, wanted: MissingRule): boolean {
  const resource = wanted.subresource ? `${wanted.resource}/${wanted.subresource}` : wanted.resource;
  return user.rules.some(
    (rule) =>
      holds(rule.verbs, wanted.verb) &&
      holds(rule.groups, wanted.group) &&
      (holds(rule.resources, resource) ||
        (wanted.subresource !== undefined && rule.resources.includes(`*/${wanted.subresource}`))) &&
      (!rule.names || (wanted.name !== undefined && rule.names.includes(wanted.name))) &&
      (!rule.namespaces || (wanted.namespace !== undefined && rule.namespaces.includes(wanted.namespace))),
  );
}

function holds(list: readonly string[], value: string): boolean {
  return list.includes('*') || list.includes(value);
}

/** The error for a 403 with the API server's sentence; it carries the missing rule. */
export function forbidden(user: string, rule: MissingRule): KubeError {
  const resource = rule.subresource ? `${rule.resource}/${rule.subresource}` : rule.resource;
  const what = rule.group === '' ? rule.resource : `${rule.resource}.${rule.group}`;
  const which = rule.name === undefined ? what : `${what} "${rule.name}"`;
  const scope = rule.namespace === undefined ? 'at the cluster scope' : `in the namespace "${rule.namespace}"`;
  return new KubeError(
    'forbidden',
    `${which} is forbidden: User "${user}" cannot ${rule.verb} resource "${resource}" in API group "${rule.group}" ${scope}`,
    { status: 403, rule },
  );
}
