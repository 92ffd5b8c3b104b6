import { counted } from '#lib/base/words.ts';
import { rule } from '../access/rules.ts';
import { defineOperation } from '../define-operation.ts';
import type { PlanContext, RuleScope } from '../operation.ts';
import { undoneBy } from '../pins/parts.ts';
import type { Rule } from '../schema/planned-operation.ts';
import { ownedObjects, ownedWords } from '../upgrade/owned-objects.ts';
import { ownersRemoved, ownersRestored, removal, restoration } from '../upgrade/owner-steps.ts';

const id = 'owner-refs.remove';
const scanSeconds = 20;

/**
 * Removes owner references to Calico's own API: from v3.28 on its objects have other UIDs, and the garbage collector deletes what refers to the old
 * ones (calico.md §12; pain H13). The plan, and so the journal, lists what is removed; it is restored with the new UIDs whichever way the run goes.
 */
export const ownerRefsRemove = defineOperation({
  id,
  title: (context) => `Take the owner references to Calico's own API from ${ownedWords(ownedObjects(context))}`,
  why: (context) =>
    `The UIDs of these owners change with this release, and Kubernetes deletes what refers to a UID that is gone. ${counted(ownedObjects(context).length, 'object')} would be lost; the references come back after the upgrade.`,
  whenPaused:
    'Objects that Calico’s own objects owned have no owner now: they stay when the owner is deleted. Undo or the end of the run restores the references.',
  effect: 'none',
  reversible: true,
  appliesTo: (context) => ownedObjects(context).length > 0,
  mayWrite: () => ({ step: ownersRemoved('at-once'), undo: undoneBy('release', ownersRestored('stored')) }),
  needs: ownerNeeds,
  act: (context) => removal(ownedObjects(context), 'at-once').act,
  done: (context) => removal(ownedObjects(context), 'at-once').done,
  until: 'owner-refs.restore',
  undo: (context) => ({
    title: 'Restore the owner references, with the earlier UIDs',
    ...restoration(ownedObjects(context), 'stored'),
    phase: 'release',
    usualSeconds: scanSeconds,
    deadlineSeconds: 900,
  }),
  usualSeconds: scanSeconds,
  deadlineSeconds: 900,
});

/** Checks right before the operator is replaced: an object whose reference somebody restored meanwhile would be deleted. */
export const ownerRefsStillRemoved = defineOperation({
  id,
  title: 'Check that the owner references have not come back',
  why: 'A controller may write them again. With the new UIDs, its objects would be deleted, so pause it first.',
  whenPaused: ownerRefsRemove.whenPaused,
  effect: 'none',
  reversible: true,
  appliesTo: ownerRefsRemove.appliesTo,
  mayWrite: () => ({ step: ownersRemoved('once-paused') }),
  needs: ownerNeeds,
  act: (context: PlanContext) => removal(ownedObjects(context), 'once-paused').act,
  done: (context: PlanContext) => removal(ownedObjects(context), 'once-paused').done,
  until: 'owner-refs.restore',
  usualSeconds: scanSeconds,
  deadlineSeconds: 900,
});

/** Which kinds have such owners is not known before; those that were found are named. Every kind is listed to check that none is left. */
export function ownerNeeds({ owned = [], owners = [] }: RuleScope): Rule[] {
  return [
    ...owned.map((resource) => rule(resource, ['get', 'list', 'patch'])),
    ...owners.map(({ group, plural }) => ({ group, resource: plural, verbs: ['get'] })),
  ];
}
