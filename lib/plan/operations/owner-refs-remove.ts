import { counted } from '#lib/base/words.ts';
import { rule } from '../access/rules.ts';
import { defineOperation } from '../define-operation.ts';
import type { PlanContext, Rule, RuleScope } from '../operation.ts';
import { undoneBy } from '../pins/parts.ts';
import { ownedObjects, ownedWords } from '../upgrade/owned-objects.ts';
import { ownersRemoved, ownersRestored, removal, restoration } from '../upgrade/owner-steps.ts';

const id = 'owner-refs.remove';
const scanSeconds = 20;

/**
 * From v3.28 on an object of Calico's own API shows another UID, and the garbage collector deletes what refers to the old one (calico.md §12; pain H13).
 * What is taken away stands in the plan, so in the journal, and comes back with the UIDs of then, whichever way the run goes.
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

/** Right before the operator is replaced: whoever brought them back meanwhile would lose the objects. */
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

/** Which kinds are owned nobody knows beforehand; those that were found are named. To see that none is left, every kind is listed. */
export function ownerNeeds({ owned = [], owners = [] }: RuleScope): Rule[] {
  return [
    ...owned.map((resource) => rule(resource, ['get', 'list', 'patch'])),
    ...owners.map(({ group, plural }) => ({ group, resource: plural, verbs: ['get'] })),
  ];
}
