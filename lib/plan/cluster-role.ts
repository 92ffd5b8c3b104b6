import { type Facts, readingRules } from '#lib/facts/index.ts';
import { type Goal, names } from '#lib/spec/index.ts';
import { mergedRules } from './define-operation.ts';
import type { Rule } from './operation.ts';
import { journeyRules } from './rules-for.ts';

type RoleRule = { apiGroups: string[]; resources: string[]; verbs: string[]; resourceNames?: string[] };

/** An object of rbac.authorization.k8s.io/v1. */
export type RoleObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1';
  kind: 'ClusterRole' | 'Role';
  metadata: { name: string; namespace?: string; labels: Record<string, string> };
  rules: RoleRule[];
};

/**
 * What an account needs for a goal: reading the facts, and everything the journey does. One ClusterRole for what has no namespace or is
 * read in all of them, and a Role for each namespace. Whom they are bound to is the administrator's to say.
 */
export function clusterRole(goal: Goal, facts?: Facts): RoleObject[] {
  const reading = readingRules().map(
    ({ verb, name, ...where }): Rule => ({ ...where, verbs: [verb], ...(name === undefined ? {} : { names: [name] }) }),
  );
  const rules = withoutCovered(mergedRules([...reading, ...journeyRules(goal, facts)]));
  const there = rules.filter(({ namespace }) => isEverywhere(namespace) || isThere(namespace, facts));
  const byNamespace = Map.groupBy(there, ({ namespace }) => namespace ?? '');
  return [...byNamespace]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([namespace, own]) => ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: namespace === '' ? 'ClusterRole' : 'Role',
      metadata: {
        name: `signalbox-${goal}`,
        ...(namespace === '' ? {} : { namespace }),
        labels: { [names.managedByLabel]: names.fieldManager },
      },
      rules: own.map(roleRule),
    }));
}

/**
 * Most clusters have no such namespaces, and a Role in one would make `kubectl apply` fail. Without facts they are left out: a refusal in a namespace
 * that is not there is taken for an absence (lib/run/conditions/where-present.ts), and where it is there the refusal names the rule.
 */
function isEverywhere(namespace: string | undefined): boolean {
  return namespace !== names.earlierApiServerNamespace && namespace !== tanzuNamespace;
}

/** Where Tanzu says what it is; no other platform has it. */
const tanzuNamespace = 'tkg-system-public';

function isThere(namespace: string | undefined, facts: Facts | undefined): boolean {
  if (namespace === tanzuNamespace) return facts?.platform.kind === 'tkg';
  return facts?.endpoint.inUse.some(({ object }) => object.startsWith(`${names.earlierApiServerNamespace}/`)) ?? false;
}

/** An object of v1. */
export type NamespaceObject = {
  apiVersion: 'v1';
  kind: 'Namespace';
  metadata: { name: string; labels: Record<string, string> };
};

/**
 * Namespaces that an account with no more than these rights finds made already: a Role cannot stand in a namespace that is yet to be made. For
 * *install*, whose plan then takes them as they are; the label lets the operator use the host’s network (calico.md §1.2).
 */
export function namespacesForRoles(goal: Goal): NamespaceObject[] {
  if (goal !== 'install') return [];
  return [names.operatorNamespace, names.calicoNamespace].map((name) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { name, 'pod-security.kubernetes.io/enforce': 'privileged' } },
  }));
}

function roleRule({ group, resource, subresource, verbs, names: resourceNames }: Rule): RoleRule {
  return {
    apiGroups: [group],
    resources: [subresource === undefined ? resource : `${resource}/${subresource}`],
    ...(resourceNames === undefined ? {} : { resourceNames }),
    verbs: [...verbs].sort(),
  };
}

/** A verb that is granted for all objects, or in all namespaces, need not be granted again for one. */
function withoutCovered(rules: readonly Rule[]): Rule[] {
  return rules.flatMap((rule) => {
    const wider = rules.filter((other) => other !== rule && covers(other, rule));
    const verbs = rule.verbs.filter((verb) => !wider.some((other) => other.verbs.includes(verb)));
    return verbs.length === 0 ? [] : [{ ...rule, verbs }];
  });
}

function covers(wide: Rule, narrow: Rule): boolean {
  const same =
    wide.group === narrow.group && wide.resource === narrow.resource && wide.subresource === narrow.subresource;
  const place = wide.namespace === undefined || wide.namespace === narrow.namespace;
  return (
    same && place && wide.names === undefined && (wide.namespace === undefined) >= (narrow.namespace === undefined)
  );
}
