import { manifestFileOf, objectsCompared } from '#lib/checks/index.ts';
import type { Manifest, ManifestObject, ReleaseContents } from '#lib/spec/index.ts';
import type { PlanContext } from '../../operation.ts';
import { PlanError } from '../../plan-error.ts';

type Known = Pick<PlanContext, 'facts'>;

/** The file of a release from which this installation was made. Throws a PlanError if the release has no such file. */
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

/** The release with that file alone, as an installation by manifest gets nothing else. Throws as `manifestIn`. */
export function onlyItsManifest(release: ReleaseContents, known: Known): ReleaseContents {
  const manifest = manifestIn(release, known);
  return { ...release, manifests: { [manifest.file]: manifest } };
}

/** The objects of that file without its CustomResourceDefinitions, which a step before applies. Throws as `manifestIn`. */
export function objectsOfManifest(release: ReleaseContents, known: Known): readonly ManifestObject[] {
  return objectsCompared(manifestIn(release, known));
}
