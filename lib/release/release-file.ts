import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { releaseAddress } from './address.ts';
import { cacheFolder } from './cache-folder.ts';
import { checksumOf } from './checksums.ts';
import { download, type Fetch } from './download.ts';
import { keep, readKept, sha256 } from './kept-files.ts';
import { ReleaseError } from './release-error.ts';

export type ReleaseFileOptions = {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly fetch?: Fetch;
};

/**
 * One public file of a Calico release, unmodified: `releaseFile('v3.31.4', 'operator-crds.yaml')`.
 *
 * From the folder that SIGNALBOX_CALICO_DIR names (`<folder>/<version>/<name>`), and then from nowhere else: who names a folder
 * wants nothing dialled, and may have edited what is in it. Else from the cache, else from the public release address; both only
 * with the checksum that is pinned here. Throws ReleaseError.
 */
export async function releaseFile(
  version: string,
  name: string,
  { env = process.env, fetch = globalThis.fetch }: ReleaseFileOptions = {},
): Promise<string> {
  const folder = env.SIGNALBOX_CALICO_DIR;
  const bytes = folder ? await fromFolder(folder, version, name) : await fromAddress(version, name, env, fetch);
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

async function fromFolder(folder: string, version: string, name: string): Promise<Uint8Array> {
  try {
    return await readFile(join(folder, version, name));
  } catch (error) {
    throw new ReleaseError(
      'release.missing',
      `SIGNALBOX_CALICO_DIR (${folder}) has no ${version}/${name}. Put it there, or unset SIGNALBOX_CALICO_DIR to have it downloaded from ${releaseAddress(version, name)}.`,
      error,
    );
  }
}

async function fromAddress(
  version: string,
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  fetch: Fetch,
): Promise<Uint8Array> {
  const checksum = checksumOf(version, name);
  if (checksum === null) {
    throw new ReleaseError(
      'release.unknown',
      `${name} of Calico ${version} has no pinned checksum, so it is not downloaded. ${orFolder(version, name)}`,
    );
  }
  const kept = join(cacheFolder(env), 'releases', version, name);
  const cached = await readKept(kept, checksum);
  if (cached !== null) return cached;
  const address = releaseAddress(version, name);
  const bytes = await downloadOrExplain(address, fetch, orFolder(version, name));
  const actual = sha256(bytes);
  if (actual !== checksum) {
    throw new ReleaseError(
      'release.changed',
      `${address} is not the file that was published with ${version}: its checksum is ${actual}, ${checksum} was expected. Nothing of it was used.`,
    );
  }
  await keep(kept, bytes);
  return bytes;
}

/** Both sources in one sentence: who cannot reach the address can name a folder. */
async function downloadOrExplain(address: string, fetch: Fetch, otherwise: string): Promise<Uint8Array> {
  try {
    return await download(address, fetch);
  } catch (error) {
    if (!(error instanceof ReleaseError) || error.code !== 'release.unreachable') throw error;
    throw new ReleaseError(error.code, `${error.message} ${otherwise}`, error.cause);
  }
}

function orFolder(version: string, name: string): string {
  return `Set SIGNALBOX_CALICO_DIR to a folder that holds ${version}/${name} as published with that release.`;
}
