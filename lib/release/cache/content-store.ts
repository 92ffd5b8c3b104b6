import { join } from 'node:path';
import type { ManifestObject } from '#lib/spec/index.ts';
import { toManifestObject } from '../manifest/manifest-object.ts';
import { type Cache, discard } from './cache.ts';
import { keep, readFileOrNull, sha256 } from './kept-files.ts';
import { keepSealed, readSealed } from './sealed-file.ts';

/** Files that were used before, by checksum, so that a run can continue with the same file wherever it came from. */
const pathOf = ({ folder }: Cache, checksum: string) => join(folder, 'releases', 'sha256', checksum);

/** The bytes with this checksum; null if they are missing or damaged. */
export async function readContent(cache: Cache, checksum: string): Promise<Uint8Array | null> {
  const path = pathOf(cache, checksum);
  const bytes = await readFileOrNull(path);
  if (bytes === null || sha256(bytes) === checksum) return bytes;
  await discard(cache, path);
  return null;
}

/** Stores bytes and returns their checksum. @throws ReleaseError `release.disk` */
export async function keepContent(cache: Cache, bytes: Uint8Array): Promise<string> {
  const checksum = sha256(bytes);
  if ((await readContent(cache, checksum)) === null) await keep(pathOf(cache, checksum), bytes);
  return checksum;
}

/**
 * The parsed objects of the file with this checksum, if this installation cached them: reading JSON takes a hundredth of the time of YAML. Plans show and runs
 * write these objects, so a cache file that others wrote or changed is not used.
 */
export async function readParsed(cache: Cache, checksum: string): Promise<ManifestObject[] | null> {
  const body = await readSealed(cache, parsedPath(cache, checksum));
  if (body === null) return null;
  const values: unknown = JSON.parse(body.toString('utf8'));
  if (!Array.isArray(values)) return null;
  const read = values.map(toManifestObject);
  return read.every((one) => 'object' in one) ? read.map(({ object }) => object) : null;
}

export async function keepParsed(cache: Cache, checksum: string, objects: readonly ManifestObject[]): Promise<void> {
  await keepSealed(cache, parsedPath(cache, checksum), Buffer.from(JSON.stringify(objects)));
}

/** Increase the number whenever the parser's results change. */
const parsedPath = (cache: Cache, checksum: string) => `${pathOf(cache, checksum)}.parsed-2.json`;
