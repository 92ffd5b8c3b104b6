import type { Facts } from '#lib/facts/index.ts';
import { isOfHelmController } from '#lib/spec/index.ts';
import { fieldAt } from '../objects/field.ts';
import type { PlanContext } from '../operation.ts';

type Release = Facts['resources']['helmReleases'][number];

/** The check whose fix makes the switch where the value is kept. */
export const helmPinFix = 'managed-by.helm';

const pinnedPath = ['installation', 'calicoNetwork', 'linuxDataplane'];

/**
 * The release whose values set the data plane, if its fix was chosen: the next `helm upgrade` would revert a patch (pain B4). Never one of RKE2's own
 * charts: its controller writes the values again, whatever `helm upgrade` changed.
 */
export function helmPin({ facts, choices }: Pick<PlanContext, 'facts' | 'choices'>): Release | null {
  if (!choices.fix.includes(helmPinFix)) return null;
  return (
    facts.resources.helmReleases.find(
      (release) => fieldAt(release.values, pinnedPath) !== undefined && !isOfHelmController(release),
    ) ?? null
  );
}

/** For operations that apply only if there is one. */
export function requiredHelmPin(context: PlanContext): Release {
  const release = helmPin(context);
  if (release === null) throw new Error('No Helm release pins the data plane here.');
  return release;
}
