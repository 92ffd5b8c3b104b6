import { defineOperation } from '../define-operation.ts';
import { undoneBy } from '../pins/parts.ts';
import { ownedObjects, ownedWords } from '../upgrade/owned-objects.ts';
import { ownersRemoved, ownersRestored, removal, restoration } from '../upgrade/owner-steps.ts';
import { ownerNeeds, ownerRefsRemove } from './owner-refs-remove.ts';

/**
 * Restores them with the UIDs that the v3 API serves now, if they are those computed from the stored objects (calico.md §12). Undone before the
 * release goes back: with the earlier UIDs served again, the garbage collector would delete what refers to the new ones.
 */
export const ownerRefsRestore = defineOperation({
  id: 'owner-refs.restore',
  title: (context) => `Give ${ownedWords(ownedObjects(context))} the owner references back`,
  why: 'The references get the new UIDs. The UIDs that Calico’s own API serves and the computed ones must agree. Then the objects are deleted with their owners again.',
  whenPaused: ownerRefsRemove.whenPaused,
  effect: 'none',
  reversible: true,
  appliesTo: ownerRefsRemove.appliesTo,
  mayWrite: () => ({ step: ownersRestored('derived'), undo: undoneBy('release', ownersRemoved('at-once')) }),
  needs: ownerNeeds,
  act: (context) => restoration(ownedObjects(context), 'derived').act,
  done: (context) => restoration(ownedObjects(context), 'derived').done,
  undo: (context) => ({
    title: 'Remove the owner references again, before the release goes back',
    ...removal(ownedObjects(context), 'at-once'),
    phase: 'release',
    usualSeconds: 20,
    deadlineSeconds: 900,
  }),
  usualSeconds: 20,
  deadlineSeconds: 900,
});
