import type { Facts } from '#lib/facts/index.ts';
import { type Goal, type MissingRule, names, resources } from '#lib/spec/index.ts';
import { mergedRules } from './define-operation.ts';
import { enable, install, type Journey, leaveIpvs, leaveIpvsFirst } from './journeys.ts';
import type { Rule } from './operation.ts';
import type { Plan } from './plan.ts';
import { rule, usualScope } from './rules.ts';
import { scopeOf } from './scope.ts';

/** What every run writes for itself: its journal, the Lease that makes it exclusive, Events that `kubectl describe` shows. */
export const bookkeeping: readonly Rule[] = [
  rule(resources.configMaps, ['create', 'get', 'list', 'watch', 'patch'], { namespace: names.systemNamespace }),
  rule(resources.leases, ['create'], { namespace: names.systemNamespace }),
  rule(resources.leases, ['get', 'patch', 'update'], { namespace: names.systemNamespace, names: [names.lease] }),
  // Events about objects without a namespace belong into `default`.
  rule(resources.events, ['create'], { namespace: 'default' }),
  rule(resources.namespaces, ['get'], { names: [names.systemNamespace] }),
];

/** An undo needs what its journey needed. */
const journeys: Readonly<Record<Goal, readonly Journey[]>> = {
  install: [install, leaveIpvsFirst],
  enable: [enable, leaveIpvs],
  upgrade: [],
  undo: [enable, leaveIpvs, install, leaveIpvsFirst],
};

/** Everything that a journey may need, whatever the cluster turns out to be; with facts, only where things are on this one. */
export function journeyRules(goal: Goal, facts?: Facts): Rule[] {
  const scope = facts ? scopeOf({ facts }) : usualScope;
  const needed = journeys[goal].flatMap(({ operations }) => operations.flatMap(({ needs }) => needs(scope)));
  return mergedRules([...bookkeeping, ...needed]);
}

/** The same one verb at a time, as access reviews ask (checks.md › permissions.plan). */
export function rulesFor(goal: Goal, facts?: Facts): MissingRule[] {
  return singleRules(journeyRules(goal, facts));
}

/** What this plan needs and no more. */
export function rulesOf({ operations }: Pick<Plan, 'operations'>): MissingRule[] {
  const needed = operations.filter(({ status }) => status === 'needed').flatMap(({ needs }) => needs);
  return singleRules(mergedRules([...bookkeeping, ...needed]));
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
