import {
  inRange,
  isForOpenshift,
  type PlatformKind,
  releaseFiles,
  releasesWithOperator,
  versionAdvice,
} from '#lib/spec/index.ts';
import type { ReleaseOffer } from '../../host.ts';

/** Releases that can be installed on this Kubernetes version, newest first, each with its known issues. */
export function releaseCatalogue(kubernetes: string | null): ReleaseOffer[] {
  return releasesWithOperator().map(({ version, operator }) => {
    const { standing, because, kubernetes: tested, gates } = versionAdvice(version, kubernetes);
    return {
      version,
      operator,
      standing: standing === 'proposed' || standing === 'described' ? standing : 'other',
      because: standing === 'older' && gates.length > 0 ? tested.because : `${because} ${tested.because}`,
      advice: gates.map(({ id, action, condition, advice }) => ({ gate: id, action, condition, advice })),
    };
  });
}

/** Published names of the files: OpenShift has a bundle of many, an installation by `manifest` has one. */
export function filesNeeded(version: string, platform: PlatformKind, manifest?: string): string[] {
  if (manifest !== undefined) return [manifest];
  if (platform === 'openshift') return ['ocp.tgz'];
  const ofRelease = releaseFiles.filter(
    ({ file, presence, releases: range }) =>
      !isForOpenshift(file) && presence === 'required' && (range === undefined || inRange(version, range) === 'yes'),
  );
  return [...new Set(ofRelease.map(({ file }) => file))];
}
