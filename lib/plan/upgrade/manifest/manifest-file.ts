import { manifestFileOf, objectsCompared } from '#lib/checks/index.ts';
import type { Manifest, ManifestObject, ReleaseContents } from '#lib/spec/index.ts';
import type { PlanContext } from '../../operation.ts';
import { PlanError } from '../../plan-error.ts';

type Known = Pick<PlanContext, 'facts'>;

/** The file of a release that this installation was made from. Throws PlanError where the release has none. */
export function manifestIn(release: ReleaseContents, { facts }: Known): Manifest {
  const file = manifestFileOf(facts);
  const found = release.manifests[file];
  if (found === undefined)
    throw new PlanError(
      'choices.release',
      `release: ${release.source} has no ${file} of ${release.version}, from which this Calico was installed. Put it beside the other files.`,
      ['release'],
    );
  return found;
}

/** The release as if it had no other file: what is put on an installation by manifest. */
export function onlyItsManifest(release: ReleaseContents, known: Known): ReleaseContents {
  const manifest = manifestIn(release, known);
  return { ...release, manifests: { [manifest.file]: manifest } };
}

/** What it applies object by object: definitions come before. */
export function objectsOfManifest(release: ReleaseContents, known: Known): readonly ManifestObject[] {
  return objectsCompared(manifestIn(release, known));
}
