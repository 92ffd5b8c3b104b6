import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { openRelease, type WantedRelease } from '../open-release.ts';
import { releaseVersion } from '../release-version.ts';
import { openSource } from '../sources/open-source.ts';
import type { ReleaseOptions } from '../sources/release-source.ts';
import { keep } from './kept-files.ts';

/**
 * Writes the files of a release into a folder, `<folder>/<version>/…` as published, for a machine without a network, where the folder is the source. Writes only
 * a complete release, with a SHA256SUMS for `sha256sum -c`.
 *
 * @returns The paths that were written.
 * @throws ReleaseError
 */
export async function bringRelease(wanted: WantedRelease, folder: string, options: ReleaseOptions): Promise<string[]> {
  const version = releaseVersion(wanted.version);
  const { manifests } = await openRelease({ ...wanted, version }, options);
  // Opened files are cached, so nothing is downloaded twice.
  const source = await openSource({ ...wanted, version }, options);
  const files: { name: string; bytes: Uint8Array }[] = [];
  for (const file of Object.keys(manifests)) {
    if (file === 'ocp') {
      for (const { name, bytes } of (await source.readOcp()) ?? []) files.push({ name: `ocp/${name}`, bytes });
      continue;
    }
    const bytes = await source.read(file);
    if (bytes !== null) files.push({ name: file, bytes });
  }
  const sums = files.map(({ name, bytes }) => `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`);
  const written: string[] = [];
  for (const { name, bytes } of [...files, { name: 'SHA256SUMS', bytes: Buffer.from(sums.join('')) }]) {
    const path = join(folder, version, name);
    await keep(path, bytes);
    written.push(path);
  }
  return written;
}
