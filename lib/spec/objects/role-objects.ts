import type { MissingRule } from './access-rule.ts';
import { names } from './names.ts';

export type RoleRule = { apiGroups: string[]; resources: string[]; resourceNames?: string[]; verbs: string[] };

/** An object of rbac.authorization.k8s.io/v1. */
export type RoleObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1';
  kind: 'ClusterRole' | 'Role';
  metadata: { name: string; namespace?: string; labels: Record<string, string> };
  rules: RoleRule[];
};

/** Verbs that RBAC cannot limit to named objects: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-resources */
const nameless: ReadonlySet<string> = new Set(['create', 'list', 'watch', 'deletecollection']);

/**
 * Permissions as Roles of one name: a ClusterRole for rules without a namespace or for all, and a Role for each namespace. Each permission is as narrow as RBAC
 * allows, and permissions that a wider one includes are left out.
 */
export function roleObjects(name: string, rules: readonly MissingRule[]): RoleObject[] {
  const narrowed = rules.map((rule) => (nameless.has(rule.verb) ? withoutName(rule) : rule));
  const needed = narrowed.filter((rule) => !narrowed.some((other) => other !== rule && isWider(other, rule)));
  const byNamespace = Map.groupBy(needed, ({ namespace }) => namespace ?? '');
  return [...byNamespace]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([namespace, own]) => ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: namespace === '' ? 'ClusterRole' : 'Role',
      metadata: {
        name,
        ...(namespace === '' ? {} : { namespace }),
        labels: { [names.managedByLabel]: names.fieldManager },
      },
      rules: joined(own),
    }));
}

function withoutName({ name: _name, ...rule }: MissingRule): MissingRule {
  return rule;
}

function isWider(wide: MissingRule, narrow: MissingRule): boolean {
  const isSame =
    wide.verb === narrow.verb &&
    wide.group === narrow.group &&
    wide.resource === narrow.resource &&
    wide.subresource === narrow.subresource;
  const place = wide.namespace === undefined || wide.namespace === narrow.namespace;
  const object = wide.name === undefined || wide.name === narrow.name;
  return isSame && place && object && (wide.namespace !== narrow.namespace || wide.name !== narrow.name);
}

/** Joins rules that differ only in verbs, names or resources, so that there are fewer lines to review. */
function joined(rules: readonly MissingRule[]): RoleRule[] {
  const single = rules.map(
    ({ verb, group, resource, subresource, name }): RoleRule => ({
      apiGroups: [group],
      resources: [subresource === undefined ? resource : `${resource}/${subresource}`],
      ...(name === undefined ? {} : { resourceNames: [name] }),
      verbs: [verb],
    }),
  );
  return joinedBy('resources', joinedBy('resourceNames', joinedBy('verbs', single)));
}

function joinedBy(field: 'verbs' | 'resourceNames' | 'resources', rules: readonly RoleRule[]): RoleRule[] {
  const alike = Map.groupBy(rules, (rule) =>
    JSON.stringify({ ...rule, [field]: rule[field] === undefined ? 'all' : 'some' }),
  );
  return [...alike.values()].map(([first, ...more]) => {
    if (first === undefined) throw new Error('a group has a member');
    if (first[field] === undefined) return first;
    return { ...first, [field]: sorted([first, ...more].flatMap((rule) => rule[field] ?? [])) };
  });
}

function sorted(words: readonly string[]): string[] {
  return [...new Set(words)].sort();
}
