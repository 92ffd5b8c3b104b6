import type { Facts } from '#lib/facts/index.ts';
import {
  type Choices,
  type Goal,
  type JournalNamespaces,
  journalNamespaces,
  type MissingRule,
  names,
  type PolicyChoice,
  resources,
} from '#lib/spec/index.ts';
import { mergedRules } from '../define-operation.ts';
import {
  enable,
  flowLogs,
  install,
  type Journey,
  journeysTo,
  type KindOfUpgrade,
  leaveIpvs,
  leaveIpvsFirst,
  policy,
  restore,
  upgradeJourney,
  upgradesOfKind,
} from '../journeys.ts';
import type { Rule } from '../operation.ts';
import type { Plan } from '../plan.ts';
import { keepHelmRecords, rule, usualScope } from './rules.ts';
import { scopeOf } from './scope.ts';

/** What every run writes for itself: its journal, the Lease that makes it exclusive, Events that `kubectl describe` shows. */
function bookkeeping([namespace, ...earlier]: JournalNamespaces): Rule[] {
  return [
    rule(resources.configMaps, ['create', 'get', 'list', 'watch', 'patch'], { namespace }),
    rule(resources.leases, ['create'], { namespace }),
    rule(resources.leases, ['get', 'patch', 'update'], { namespace, names: [names.lease] }),
    // What an earlier version left is looked at, so that two runs are never under way at once.
    ...earlier.flatMap((place) => [
      rule(resources.configMaps, ['get', 'list', 'watch'], { namespace: place }),
      rule(resources.leases, ['get'], { namespace: place, names: [names.lease] }),
    ]),
    // Events about objects without a namespace belong into `default`.
    rule(resources.events, ['create'], { namespace: 'default' }),
    rule(resources.namespaces, ['get'], { names: [names.systemNamespace, ...madeFor([namespace])] }),
  ];
}

/** The namespace that the first run makes; one that somebody chose must be there. */
function madeFor([namespace]: JournalNamespaces): string[] {
  return namespace === names.journalNamespace ? [namespace] : [];
}

/** Whoever makes a namespace cannot be limited to one. */
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

/** An undo needs what its journey needed. */
const journeys: Readonly<Record<Goal, readonly Journey[]>> = {
  install: [install, leaveIpvsFirst],
  enable: [enable, leaveIpvs],
  upgrade: journeysTo('upgrade'),
  undo: [enable, leaveIpvs, install, leaveIpvsFirst, restore, flowLogs, policy, ...journeysTo('upgrade')],
  restore: [restore],
  'flow-logs': [flowLogs],
  policy: [policy],
};

/** Everything that the operations of a journey may need, whatever the cluster turns out to be; with facts, only where things are on this one. */
function journeyRules(goal: Goal, facts: Facts | undefined, kind?: KindOfUpgrade, policy?: PolicyChoice): Rule[] {
  const scope = { ...(facts ? scopeOf({ facts }) : usualScope), ...(policy && { policy }) };
  const isElsewise = (one: Journey) =>
    facts !== undefined && journeysTo('upgrade').includes(one) && one !== upgradeJourney(facts);
  return (goal === 'upgrade' && kind ? upgradesOfKind(kind) : journeys[goal])
    .filter((one) => kind !== undefined || !isElsewise(one))
    .flatMap(({ operations }) => operations.flatMap(({ needs }) => needs(scope)));
}

/** The same one verb at a time, as access reviews ask before anything of the cluster is known (checks.md › permissions.plan). */
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
 * Of those rules the ones that name objects of this cluster or of these choices, which nobody could ask for before they were known: Helm's records, a
 * policy. `rulesFor` has them without a name, and an account that holds no more than it needs is refused that.
 */
export function rulesNamedBy(facts: Facts, { goal, policy: chosen }: Pick<Choices, 'goal' | 'policy'>): MissingRule[] {
  if (goal === 'policy') {
    const rules = chosen === undefined ? [] : singleRules(journeyRules(goal, facts, undefined, chosen));
    return unasked(rules, goal);
  }
  const { helmRecords, definitionsRecords, operatorNamespace } = scopeOf({ facts });
  const named = [helmRecords, definitionsRecords].filter((records) => records?.names);
  return unasked(singleRules(named.flatMap((records) => keepHelmRecords(records, operatorNamespace))), 'upgrade');
}

function unasked(rules: readonly MissingRule[], goal: Goal): MissingRule[] {
  const asked = new Set(rulesFor(goal).map(ruleKey));
  return rules.filter((one) => !asked.has(ruleKey(one)));
}

/**
 * What a step that is opened shows of its objects (lib/run/inside): their events, and the logs of the pods that hold it up. Granted, and asked of nobody:
 * what may not be read is a sentence there. Logs stand in the optional Role.
 */
function lookingInside(facts: Facts | undefined): Rule[] {
  const { operatorNamespace, calicoNamespace } = facts ? scopeOf({ facts }) : usualScope;
  const namespaces = [...new Set([names.systemNamespace, operatorNamespace, calicoNamespace])];
  return [
    ...namespaces.map((namespace) => rule(resources.pods, ['get'], { namespace, subresource: 'log' })),
    // Events about objects without a namespace lie in `default`.
    ...['default', ...namespaces].map((namespace) => rule(resources.events, ['list'], { namespace })),
  ];
}

/**
 * What an account is granted for a goal: where journals lie is made together with its Roles. `kind`: of an upgrade, no more than that needs.
 * `helmNamespaces`: where there are no facts, other places of Helm's records of Calico than beside the operator. `chosen`: the policy that is to be made,
 * and no other.
 */
export function rulesToGrant(
  goal: Goal,
  facts?: Facts,
  kind?: KindOfUpgrade,
  helmNamespaces: readonly string[] = [],
  chosen?: PolicyChoice,
): MissingRule[] {
  const own = [...bookkeeping(journalNamespaces), ...forgetting(journalNamespaces)];
  const inside = journeys[goal].length === 0 ? [] : lookingInside(facts);
  const isByHelm = (goal === 'upgrade' || goal === 'undo') && (kind?.method ?? 'helm') === 'helm';
  const records = isByHelm ? helmNamespaces.flatMap((namespace) => keepHelmRecords(undefined, namespace)) : [];
  return singleRules(mergedRules([...own, ...journeyRules(goal, facts, kind, chosen), ...records, ...inside]));
}

/** What this plan needs and no more. `place`: whether the namespace of journals is there. */
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

export function ruleKey({ verb, group, resource, subresource, namespace, name }: MissingRule): string {
  return JSON.stringify([verb, group, resource, subresource ?? null, namespace ?? null, name ?? null]);
}
