import { inList } from '#lib/base/words.ts';
import { type ObjectRef, resources, temporaryPolicies } from '#lib/spec/index.ts';
import { rule } from '../access/rules.ts';
import { defineOperation } from '../define-operation.ts';
import { removalOfAll } from '../objects/made-here.ts';
import type { PlanContext } from '../operation.ts';
import { either } from '../pins/pattern.ts';
import { isRequested } from '../upgrade/afterwards/refuse-afterwards.ts';
import { existingOf, mayDelete, recreationOf } from '../upgrade/afterwards/requested-deletion.ts';

/** Only global policies: the facts have no others. */
const refOf = ({ name }: { name: string }): ObjectRef => ({ resource: resources.globalNetworkPolicies, name });

const left = (context: PlanContext) => existingOf(context, context.facts.upgrade.temporaryPolicies.map(refOf));

/** spec › Versioning: deletes the policy that an earlier upgrade needed, once its traffic was reviewed. */
export const policyAllowAllUpgrade = defineOperation({
  id: 'policy.allow-all-upgrade',
  title: (context) => `Delete the temporary policy ${inList(left(context).map(({ name }) => name))}`,
  why: 'While it exists, policies for hosts protect nothing. Once it is gone, traffic that no other policy allows is denied: look at its flows before you start (signalbox flows top policy:allow-all-upgrade --since 7d).',
  whenPaused: 'Where it is already deleted, only the other policies decide.',
  effect: 'traffic',
  reversible: true,
  appliesTo: (context) => isRequested('allow-all-upgrade', context) && left(context).length > 0,
  mayWrite: () => mayDelete([{ resource: resources.globalNetworkPolicies, name: either(...temporaryPolicies) }]),
  // To make one again cannot be limited to a name.
  needs: () => [
    rule(resources.globalNetworkPolicies, ['list', 'create']),
    rule(resources.globalNetworkPolicies, ['get', 'delete'], { names: [...temporaryPolicies] }),
  ],
  reads: (context) => left(context).map((target) => ({ target, paths: [['spec']] })),
  act: (context) => removalOfAll(left(context)).act,
  done: (context) => removalOfAll(left(context)).done,
  undo: (context) => recreationOf(context, left(context), 'Make the temporary policy again'),
});
