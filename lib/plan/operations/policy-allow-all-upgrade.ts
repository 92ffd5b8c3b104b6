import { inList } from '#lib/base/words.ts';
import { type ObjectRef, resources } from '#lib/spec/index.ts';
import { rule } from '../access/rules.ts';
import { defineOperation } from '../define-operation.ts';
import type { PlanContext } from '../operation.ts';
import { aName } from '../pins/parts.ts';
import { text } from '../pins/pattern.ts';
import { isAskedFor } from '../upgrade/afterwards/asked-for.ts';
import { comeBack, goTogether, mayGo, thereToGo } from '../upgrade/afterwards/taken-away.ts';

const temporary = text(/^(default\.)?allow-all-upgrade$/);

function refOf({ namespace, name }: { namespace: string | null; name: string }): ObjectRef {
  return namespace === null
    ? { resource: resources.globalNetworkPolicies, name }
    : { resource: resources.calicoNetworkPolicies, namespace, name };
}

const left = (context: PlanContext) => thereToGo(context, context.facts.upgrade.temporaryPolicies.map(refOf));

/** spec › Versioning: deletes the policy that an earlier upgrade needed, once its traffic was reviewed. */
export const policyAllowAllUpgrade = defineOperation({
  id: 'policy.allow-all-upgrade',
  title: (context) => `Delete the temporary policy ${inList(left(context).map(({ name }) => name))}`,
  why: 'While it exists, policies for hosts protect nothing. First look at the traffic that it allows: flow logs name it with each flow. Traffic that no other policy allows is denied afterwards.',
  whenPaused: 'Where it is already deleted, only the other policies decide.',
  effect: 'traffic',
  reversible: true,
  appliesTo: (context) => isAskedFor('allow-all-upgrade', context) && left(context).length > 0,
  mayWrite: () =>
    mayGo([
      { resource: resources.globalNetworkPolicies, name: temporary },
      { resource: resources.calicoNetworkPolicies, namespace: aName, name: temporary },
    ]),
  needs: () => [
    rule(resources.globalNetworkPolicies, ['get', 'list', 'create', 'delete']),
    rule(resources.calicoNetworkPolicies, ['get', 'list', 'create', 'delete']),
  ],
  reads: (context) => left(context).map((target) => ({ target, paths: [['spec']] })),
  act: (context) => goTogether(left(context)).act,
  done: (context) => goTogether(left(context)).done,
  undo: (context) => comeBack(context, left(context), 'Make the temporary policy again'),
});
