import { type ObjectRef, objectId, releaseAtLeast } from '#lib/spec/index.ts';
import { yamlDiff } from '../diff/diff.ts';
import { earlierVersion, requiredRelease } from '../objects/release-objects.ts';
import type { PlanContext } from '../operation.ts';
import type { Act } from '../schema/act.ts';
import type { OwnedObject } from '../schema/named-objects.ts';

/** The first release with the new UIDs of `projectcalico.org/v3` (calico.md §12; gate V5 of pain §2). */
const uidsChangedIn = 'v3.28.0';

/** Objects that would lose their owners with this release, and would be deleted for it; none if its UIDs stay the same. */
export function ownedObjects(context: PlanContext): OwnedObject[] {
  const from = earlierVersion(context);
  if (from === null || releaseAtLeast(from, uidsChangedIn) !== 'no') return [];
  if (releaseAtLeast(requiredRelease(context).version, uidsChangedIn) !== 'yes') return [];
  return context.facts.upgrade.dependants.map(({ resource, namespace, name, uid, references }) => ({
    target: { resource, ...(namespace === null ? {} : { namespace }), name },
    uid,
    references: references.map((one) => ({ ...one })),
  }));
}

/** Objects that a diff shows at the most; the others are counted. */
const mostShown = 50;

type OwnerAct = Extract<Act, { kind: 'remove-owner-references' | 'restore-owner-references' }>;

/** What such an act changes, as a diff of YAML. References that are brought back are shown without UIDs, which are known only once the new release runs. */
export function ownersDiff({ kind, dependants }: OwnerAct): string {
  const shown = dependants.slice(0, mostShown).map(({ target, references }) => {
    const bare = identityOf(target);
    const owners = references.map(({ uid, ...one }) => (kind === 'remove-owner-references' ? { ...one, uid } : one));
    const owned = { ...bare, ownerReferences: owners };
    return kind === 'remove-owner-references' ? yamlDiff(owned, bare) : yamlDiff(bare, owned);
  });
  const rest = dependants.length - mostShown;
  return shown.join('') + (rest > 0 ? `# and the same of ${rest} more objects\n` : '');
}

function identityOf(target: ObjectRef) {
  const { group, version, kind } = target.resource;
  const { name, namespace } = target;
  return {
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  };
}

/** All acts on owners in an act and in its parts. */
export function ownerActsOf(act: Act): OwnerAct[] {
  if (act.kind === 'sequence') return act.steps.flatMap((step) => ownerActsOf(step.act));
  return act.kind === 'remove-owner-references' || act.kind === 'restore-owner-references' ? [act] : [];
}

/** The only object by its id, else the number of objects. */
export const ownedWords = (dependants: readonly OwnedObject[]): string =>
  dependants.length === 1 && dependants[0] !== undefined
    ? objectId(dependants[0].target)
    : `${dependants.length} objects`;
