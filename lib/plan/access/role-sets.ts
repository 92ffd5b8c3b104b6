import { type Facts, helmReadingRules, readingRules } from '#lib/facts/index.ts';
import {
  escalationsOf,
  type Goal,
  type MissingRule,
  names,
  type PolicyChoice,
  type RoleKind,
  type RoleObject,
  roleKindOf,
  roleKinds,
  roleObjects,
} from '#lib/spec/index.ts';
import type { KindOfUpgrade } from '../journeys.ts';
import { rulesToGrant } from './rules-for.ts';

/** What an account needs for one purpose: the Roles that grant it, and what its holder can come to with them. */
export type RoleSet = {
  readonly kind: RoleKind;
  /** Of every Role in it. */
  readonly name: string;
  readonly roles: readonly RoleObject[];
  readonly escalations: readonly string[];
};

/**
 * What an account needs for a goal, by purpose: reading the facts, what the journey writes, and what is optional. Of each one ClusterRole for what
 * has no namespace or concerns all of them, and a Role for each namespace. Whom they are bound to is the administrator's to say. Where Helm keeps
 * its records of Calico, facts tell; without them `helmNamespaces` does, beside the operator's.
 */
export function roleSets(
  goal: Goal,
  facts?: Facts,
  kind?: KindOfUpgrade,
  helmNamespaces: readonly string[] = [],
  chosen?: PolicyChoice,
): RoleSet[] {
  const releases = facts?.resources.helmReleases ?? helmNamespaces.map((namespace) => ({ namespace }));
  const asked = [
    ...readingRules(),
    ...helmReadingRules(releases),
    ...rulesToGrant(goal, facts, kind, facts ? [] : helmNamespaces, chosen),
  ];
  const rules = asked.filter((rule) => isThere(rule, facts));
  return roleKinds.flatMap((kind) => {
    const own = rules.filter((rule) => roleKindOf(rule).id === kind.id);
    if (own.length === 0) return [];
    const name = `${names.fieldManager}-${goal}-${kind.id}`;
    return [{ kind, name, roles: roleObjects(name, own), escalations: escalationsOf(own) }];
  });
}

/** Where Tanzu says what it is; no other platform has it. */
const tanzuNamespace = 'tkg-system-public';

/**
 * Most clusters have no such namespaces, and a Role in one would make `kubectl apply` fail. Without facts they are left out: a refusal in a namespace
 * that is not there is taken for an absence (lib/run/conditions/where-present.ts), and where it is there the refusal names the rule.
 */
function isThere({ namespace }: MissingRule, facts: Facts | undefined): boolean {
  if (namespace === tanzuNamespace) return facts?.platform.kind === 'tkg';
  if (namespace !== names.earlierApiServerNamespace) return true;
  return facts?.endpoint.inUse.some(({ object }) => object.startsWith(`${names.earlierApiServerNamespace}/`)) ?? false;
}

/** An object of v1. */
export type NamespaceObject = {
  apiVersion: 'v1';
  kind: 'Namespace';
  metadata: { name: string; labels: Record<string, string> };
};

/**
 * Namespaces that an account with no more than these rights finds made already: a Role cannot stand in a namespace that is yet to be made. That of
 * the journals, with the mark by which a run knows it for its own. For *install* Calico’s two as well, whose plan then takes them as they are; the
 * label lets the operator use the host’s network (calico.md §1.2).
 */
export function namespacesForRoles(goal: Goal): NamespaceObject[] {
  const privileged = 'pod-security.kubernetes.io/enforce';
  return [
    namespaceObject(names.journalNamespace, { [names.managedByLabel]: names.fieldManager }),
    ...(goal === 'install' ? [names.operatorNamespace, names.calicoNamespace] : []).map((name) =>
      namespaceObject(name, { name, [privileged]: 'privileged' }),
    ),
  ];
}

function namespaceObject(name: string, labels: Record<string, string>): NamespaceObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
}
