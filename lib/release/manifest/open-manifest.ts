import type { Manifest, ManifestRef } from '#lib/spec/index.ts';
import { cacheOf } from '../cache/cache.ts';
import { keepParsed, readContent, readParsed } from '../cache/content-store.ts';
import { ifPossible } from '../cache/kept-files.ts';
import { openRelease, type WantedRelease } from '../open-release.ts';
import { ReleaseError } from '../release-error.ts';
import type { ReleaseOptions } from '../sources/release-source.ts';
import { parseManifest } from './parse-manifest.ts';

/** The source from the plan's choices, for files that are no longer cached. */
export type ManifestOptions = ReleaseOptions &
  Pick<WantedRelease, 'source' | 'airGapped' | 'platform' | 'customResources'>;

/**
 * The exact file that a plan was made with: from the cache by checksum, or else from the source, which must have the same bytes. A run never continues with
 * another file than it started with.
 *
 * @throws ReleaseError `release.changed` if the source has another file now.
 */
export async function openManifest(ref: ManifestRef, options: ManifestOptions): Promise<Manifest> {
  const { version, file, sha256 } = ref;
  const cache = cacheOf(options);
  const parsed = await readParsed(cache, sha256);
  if (parsed !== null) return { version, file, sha256, objects: parsed };
  const bytes = await readContent(cache, sha256);
  if (bytes !== null) {
    const objects = await parseManifest(`${file} of ${version}`, bytes, options.signal);
    await ifPossible(() => keepParsed(cache, sha256, objects));
    return { version, file, sha256, objects };
  }
  const { source, airGapped, platform, customResources } = options;
  const release = await openRelease(
    { version, source, airGapped, customResources, platform: file === 'ocp' ? 'openshift' : platform },
    options,
  );
  const manifest = release.manifests[file];
  if (manifest?.sha256 === sha256) return manifest;
  throw new ReleaseError(
    'release.changed',
    `${file} of ${version} in ${release.source} is not the file that was planned with: its checksum is ${manifest?.sha256 ?? 'none, for it is not there'}, ${sha256} was expected. Bring the earlier file back, or plan again.`,
  );
}
