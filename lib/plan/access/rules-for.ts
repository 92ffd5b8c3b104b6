import type { Facts } from '#lib/facts/index.ts';
import {
  type Choices,
  type Goal,
  type HelmDriver,
  helmRecordNames,
  helmRecordResource,
  type JournalNamespaces,
  journalNamespaces,
  type MissingRule,
  names,
  type PolicyChoice,
  resources,
} from '#lib/spec/index.ts';
import { mergedRules } from '../define-operation.ts';
import { helmPinFix } from '../install/helm-pin.ts';
import {
  enable,
  flowLogs,
  install,
  type Journey,
  journeyOf,
  journeysTo,
  type KindOfUpgrade,
  leaveIpvs,
  leaveIpvsFirst,
  policy,
  restore,
  upgradeJourney,
  upgradesOfKind,
} from '../journeys.ts';
import { knownObjects } from '../objects/known-objects.ts';
import type { HelmRecords, RuleScope } from '../operation.ts';
import type { Plan } from '../plan.ts';
import type { Rule } from '../schema/planned-operation.ts';
import { keepHelmRecords, rule, usualScope } from './rules.ts';
import { scopeOf } from './scope.ts';

/** The rules for what every run writes about itself: its journal, its Lease, and Events for `kubectl describe`. */
function bookkeeping([namespace, ...earlier]: JournalNamespaces): Rule[] {
  return [
    rule(resources.configMaps, ['create', 'get', 'list', 'watch', 'patch'], { namespace }),
    rule(resources.leases, ['create'], { namespace }),
    rule(resources.leases, ['get', 'patch', 'update'], { namespace, names: [names.lease] }),
    // Journals of earlier versions are read, so that two runs are never under way at once.
    ...earlier.flatMap((earlierNamespace) => [
      rule(resources.configMaps, ['get', 'list', 'watch'], { namespace: earlierNamespace }),
      rule(resources.leases, ['get'], { namespace: earlierNamespace, names: [names.lease] }),
    ]),
    // Events about cluster-scoped objects belong in `default`.
    rule(resources.events, ['create'], { namespace: 'default' }),
    rule(resources.namespaces, ['get'], { names: [names.systemNamespace, ...madeFor([namespace])] }),
  ];
}

/** The namespace that the first run creates; one that the administrator chose must exist. */
function madeFor([namespace]: JournalNamespaces): string[] {
  return namespace === names.journalNamespace ? [namespace] : [];
}

/** The right to create namespaces cannot be limited to one name. */
function makingNamespace(namespaces: JournalNamespaces): Rule[] {
  return madeFor(namespaces).map(() => rule(resources.namespaces, ['create']));
}

/** `signalbox runs --forget`. */
function forgetting(namespaces: JournalNamespaces): Rule[] {
  const [namespace] = namespaces;
  return [
    rule(resources.configMaps, ['delete'], { namespace }),
    rule(resources.leases, ['delete'], { namespace, names: [names.lease] }),
    ...madeFor(namespaces).map((name) => rule(resources.namespaces, ['delete'], { names: [name] })),
  ];
}

/** The journeys of each goal. An undo needs the rules of its journey. */
const journeys: Readonly<Record<Goal, readonly Journey[]>> = {
  install: [install, leaveIpvsFirst],
  enable: [enable, leaveIpvs],
  upgrade: journeysTo('upgrade'),
  undo: [enable, leaveIpvs, install, leaveIpvsFirst, restore, flowLogs, policy, ...journeysTo('upgrade')],
  restore: [restore],
  'flow-logs': [flowLogs],
  policy: [policy],
};

/** Every rule that the operations of a journey may need on any cluster; with facts, only those for what this cluster has. */
function journeyRules(
  goal: Goal,
  facts: Facts | undefined,
  kind?: KindOfUpgrade,
  known: Pick<RuleScope, 'policy' | 'helmRecords'> = {},
): Rule[] {
  const scope = { ...(facts ? scopeOf({ facts }) : usualScope), ...known };
  const isElsewise = (one: Journey) =>
    facts !== undefined && journeysTo('upgrade').includes(one) && one !== upgradeJourney(facts);
  return (goal === 'upgrade' && kind ? upgradesOfKind(kind) : journeys[goal])
    .filter((one) => kind !== undefined || !isElsewise(one))
    .flatMap(({ operations }) => operations.flatMap(({ needs }) => needs(scope)));
}

/**
 * Every rule that a goal may need on any cluster, one verb at a time, for access reviews that are made before anything is known about the cluster
 * (checks.md › permissions.plan).
 */
export function rulesFor(
  goal: Goal,
  namespaces: JournalNamespaces = journalNamespaces,
  kind?: KindOfUpgrade,
): MissingRule[] {
  return singleRules(
    mergedRules([...bookkeeping(namespaces), ...makingNamespace(namespaces), ...journeyRules(goal, undefined, kind)]),
  );
}

/**
 * The rules that name objects known only from facts or choices: Helm's records, if an operation for this goal uses them, and a policy. `rulesFor`
 * asks for them without a name, which the API server refuses to an account with the least rights.
 */
export function rulesNamedBy(facts: Facts, choices: Choices): MissingRule[] {
  const { goal, policy: chosen } = choices;
  if (goal !== 'policy') return notRequired(singleRules(rulesOfHelmRecords(facts, choices)), goal);
  const rules = chosen === undefined ? [] : singleRules(journeyRules(goal, facts, undefined, { policy: chosen }));
  return notRequired(rules, goal);
}

function rulesOfHelmRecords(facts: Facts, choices: Choices): Rule[] {
  const scope = scopeOf({ facts });
  const named = [scope.helmRecords, scope.definitionsRecords].filter((records) => records?.names);
  if (named.length === 0) return [];
  const isOfRecord = (one: Rule) =>
    named.some((records) => records?.resource.plural === one.resource && records.namespace === one.namespace);
  // Proposed fixes are chosen only after these permissions were read.
  const fix = choices.acceptProposals ? [...choices.fix, helmPinFix] : choices.fix;
  const context = { facts, choices: { ...choices, fix }, before: knownObjects(facts), release: null, running: null };
  return journeyOf(context)
    .operations.filter((operation) => operation.needs(scope).some(isOfRecord) && operation.appliesTo(context))
    .flatMap((operation) => operation.needs(scope).filter(isOfRecord));
}

function notRequired(rules: readonly MissingRule[], goal: Goal): MissingRule[] {
  const required = new Set(rulesFor(goal).map(ruleKey));
  return rules.filter((one) => !required.has(ruleKey(one)));
}

/**
 * The rules for an open step of a run (lib/run/inside): Events of its objects, and logs of the pods that delay it. They are granted but never
 * required: without them the page says what could not be read. Logs are in the optional Role.
 */
function lookingInside(facts: Facts | undefined): Rule[] {
  const { operatorNamespace, calicoNamespace } = facts ? scopeOf({ facts }) : usualScope;
  const namespaces = [...new Set([names.systemNamespace, operatorNamespace, calicoNamespace])];
  return [
    ...namespaces.map((namespace) => rule(resources.pods, ['get'], { namespace, subresource: 'log' })),
    // Events about cluster-scoped objects are in `default`.
    ...['default', ...namespaces].map((namespace) => rule(resources.events, ['list'], { namespace })),
  ];
}

/** Where Helm keeps its records of Calico, for a face that reads no cluster. */
export type HelmStorage = {
  /** In addition to the operator's namespace. */
  readonly namespaces?: readonly string[];
  /** Where all of them are kept; left out: in Secrets. */
  readonly driver?: HelmDriver | undefined;
  /** Every release that holds a part of Calico, with its newest revision; left out: not known. */
  readonly releases?: readonly { readonly namespace: string; readonly name: string; readonly revision: number }[];
};

/**
 * The rules that are granted for a goal; the namespace of journals is created together with its Roles. `kind`: only what this kind of upgrade needs.
 * `HelmStorage`: where Helm keeps its records, used without facts. `chosen`: only this policy.
 */
export function rulesToGrant(
  goal: Goal,
  facts?: Facts,
  kind?: KindOfUpgrade,
  { namespaces = [], releases = [], driver }: HelmStorage = {},
  chosen?: PolicyChoice,
): MissingRule[] {
  const own = [...bookkeeping(journalNamespaces), ...forgetting(journalNamespaces)];
  const inside = journeys[goal].length === 0 ? [] : lookingInside(facts);
  const isUpgradeByHelm = (goal === 'upgrade' || goal === 'undo') && (kind?.method ?? 'helm') === 'helm';
  const resource = helmRecordResource(driver);
  const recordsIn = (namespace: string): HelmRecords => ({ resource, namespace, names: null });
  // It is not known which release an operation uses: operations get the first, and the others are added.
  const [first = driver && recordsIn(names.operatorNamespace), ...others] = releases.map(
    ({ namespace, name, revision }): HelmRecords => ({ resource, namespace, names: helmRecordNames(name, revision) }),
  );
  const records = [
    ...(isUpgradeByHelm ? namespaces.flatMap((one) => keepHelmRecords(recordsIn(one), one)) : []),
    ...(isUpgradeByHelm || goal === 'enable' ? others.flatMap((one) => keepHelmRecords(one, one.namespace)) : []),
  ];
  const known = { ...(chosen && { policy: chosen }), ...(first && { helmRecords: first }) };
  return singleRules(mergedRules([...own, ...journeyRules(goal, facts, kind, known), ...records, ...inside]));
}

/** Exactly what this plan needs. `journalNamespace`: whether the namespace of journals exists. */
export function rulesOf(
  { operations }: Pick<Plan, 'operations'>,
  { namespaces, journalNamespace }: { namespaces: JournalNamespaces; journalNamespace: 'there' | 'missing' },
): MissingRule[] {
  const needed = operations.filter(({ status }) => status === 'needed').flatMap(({ needs }) => needs);
  const making = journalNamespace === 'missing' ? makingNamespace(namespaces) : [];
  return singleRules(mergedRules([...bookkeeping(namespaces), ...making, ...needed]));
}

function singleRules(rules: readonly Rule[]): MissingRule[] {
  const single = rules.flatMap(({ verbs, names: objects, ...where }) =>
    verbs.flatMap((verb) =>
      (objects ?? [undefined]).map((name) => ({ verb, ...where, ...(name === undefined ? {} : { name }) })),
    ),
  );
  return [...new Map(single.map((one) => [ruleKey(one), one])).values()];
}

/** Identifies a rule of one verb, for comparisons. */
export function ruleKey({ verb, group, resource, subresource, namespace, name }: MissingRule): string {
  return JSON.stringify([verb, group, resource, subresource ?? null, namespace ?? null, name ?? null]);
}
