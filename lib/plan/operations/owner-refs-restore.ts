import { isManifestInstall, publishedFile } from '#lib/checks/index.ts';
import { shellLine } from '#lib/text/index.ts';
import { defineOperation } from '../define-operation.ts';
import { requiredRelease } from '../objects/release-objects.ts';
import type { PlanContext } from '../operation.ts';
import { undoneBy } from '../pins/parts.ts';
import { ownedObjects, ownedWords } from '../upgrade/owned-objects.ts';
import { ownersRemoved, ownersRestored, removal, restoration } from '../upgrade/owner-steps.ts';
import { ownerNeeds, ownerRefsRemove } from './owner-refs-remove.ts';

const why =
  'The references get the new UIDs. The UIDs that Calico’s own API serves and the computed ones must agree. Then the objects are deleted with their owners again.';

/** By manifest, Calico's API server is installed from a file of its own, which no plan applies: without it the UIDs stay the earlier ones. */
function ofItsOwnFile(context: PlanContext): string {
  if (!isManifestInstall(context.facts)) return '';
  const file = publishedFile(requiredRelease(context).version, 'apiserver.yaml');
  return ` This plan leaves Calico’s API server as it is: where it was installed from apiserver.yaml, run \`${shellLine('kubectl', 'apply', '-f', file)}\` when the run waits here.`;
}

/**
 * Restores them with the UIDs that the v3 API serves now, if they are those computed from the stored objects (calico.md §12). Undone before the
 * release goes back: with the earlier UIDs served again, the garbage collector would delete what refers to the new ones.
 */
export const ownerRefsRestore = defineOperation({
  id: 'owner-refs.restore',
  title: (context) => `Give ${ownedWords(ownedObjects(context))} the owner references back`,
  why: (context) => `${why}${ofItsOwnFile(context)}`,
  whenPaused:
    'The new release runs, and objects that Calico’s own objects owned have no owner yet: they stay when the owner is deleted. If Calico’s own API still serves the earlier UIDs, its API server is of the earlier release: apply the new release’s apiserver.yaml, then continue.',
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
