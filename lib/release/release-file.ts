import { ReleaseError } from './release-error.ts';
import { openSource } from './sources/open-source.ts';
import type { ReleaseOptions } from './sources/release-source.ts';

export type ReleaseFileOptions = Partial<ReleaseOptions>;

/**
 * One published file of a Calico release, unmodified: `releaseFile('v3.31.4', 'operator-crds.yaml')`. From the folder that
 * SIGNALBOX_CALICO_DIR names, if it is set; otherwise from the cache or the public release address.
 *
 * @throws ReleaseError
 */
export async function releaseFile(
  version: string,
  name: string,
  { signal = new AbortController().signal, ...options }: ReleaseFileOptions = {},
): Promise<string> {
  const source = await openSource({ version }, { ...options, signal });
  const bytes = await source.read(name);
  if (bytes !== null) return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  throw new ReleaseError('release.missing', `${source.named} has no ${name} of ${version}. ${source.remedy([name])}`);
}
