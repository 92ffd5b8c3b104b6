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
import { type HelmStorage, rulesToGrant } from './rules-for.ts';

/** The permissions for one purpose: the Roles that grant them, and what else their holder can reach with them. */
export type RoleSet = {
  readonly kind: RoleKind;
  /** The name of every Role in it. */
  readonly name: string;
  readonly roles: readonly RoleObject[];
  readonly escalations: readonly string[];
};

/**
 * The permissions for a goal, by purpose: reading the facts, writing what the journey writes, and optional ones. Each has one ClusterRole for
 * cluster-wide rules and a Role for each namespace. The administrator decides whom they are bound to. Facts say where Helm keeps its records of
 * Calico; without facts, `helm` does.
 */
export function roleSets(
  goal: Goal,
  facts?: Facts,
  kind?: KindOfUpgrade,
  helm: HelmStorage = {},
  chosen?: PolicyChoice,
): RoleSet[] {
  const { namespaces = [], releases = [] } = helm;
  const recordPlaces = facts?.resources.helmReleases ?? [
    ...namespaces.map((namespace) => ({ namespace })),
    ...releases,
  ];
  const requested = [
    ...readingRules(),
    ...helmReadingRules(recordPlaces),
    ...rulesToGrant(goal, facts, kind, facts ? {} : helm, chosen),
  ];
  const rules = requested.filter((rule) => isThere(rule, facts));
  return roleKinds.flatMap((kind) => {
    const own = rules.filter((rule) => roleKindOf(rule).id === kind.id);
    if (own.length === 0) return [];
    const name = `${names.fieldManager}-${goal}-${kind.id}`;
    return [{ kind, name, roles: roleObjects(name, own), escalations: escalationsOf(own) }];
  });
}

/** The namespace in which Tanzu identifies itself; no other platform has it. */
const tanzuNamespace = 'tkg-system-public';

/**
 * False for namespaces that most clusters lack: a Role in one would make `kubectl apply` fail. Without facts they are left out. Nothing is lost by
 * that: a refusal in a namespace that does not exist counts as absence (lib/run/conditions/where-present.ts), and in one that exists the refusal
 * names the rule.
 */
function isThere({ namespace }: MissingRule, facts: Facts | undefined): boolean {
  if (namespace === tanzuNamespace) return facts?.platform.kind === 'tkg';
  if (namespace !== names.earlierApiServerNamespace) return true;
  return facts?.endpoint.inUse.some(({ object }) => object.startsWith(`${names.earlierApiServerNamespace}/`)) ?? false;
}

/** A Namespace of v1. */
export type NamespaceObject = {
  apiVersion: 'v1';
  kind: 'Namespace';
  metadata: { name: string; labels: Record<string, string> };
};

/**
 * Namespaces that must exist before Roles can be created in them. The one of the journals gets the mark by which a run recognises it as its own. For
 * *install* Calico’s two as well, which the plan then leaves as they are; the label lets the operator use the host’s network (calico.md §1.2).
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
