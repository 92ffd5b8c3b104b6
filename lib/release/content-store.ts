import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ManifestObject } from '#lib/spec/index.ts';
import { cacheFolder } from './cache-folder.ts';
import { keep, readFileOrNull, readKept, sha256 } from './kept-files.ts';
import { toManifestObject } from './manifest-object.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Files that were used before, by their checksum: wherever they came from, a run that began with one can be carried on with the same. */
const pathOf = (env: Env, checksum: string) => join(cacheFolder(env), 'releases', 'sha256', checksum);

/** The bytes with this checksum, if they are here and whole. */
export function readContent(env: Env, checksum: string): Promise<Uint8Array | null> {
  return readKept(pathOf(env, checksum), checksum);
}

/** Keeps bytes and gives their checksum. @throws ReleaseError `release.disk` */
export async function keepContent(env: Env, bytes: Uint8Array): Promise<string> {
  const checksum = sha256(bytes);
  if ((await readContent(env, checksum)) === null) await keep(pathOf(env, checksum), bytes);
  return checksum;
}

/**
 * What a file with this checksum was parsed to, if that was kept: JSON takes a hundredth of the time that YAML does. A first line holds the
 * checksum of the rest, so one that was cut short is parsed again.
 */
export async function readParsed(env: Env, checksum: string): Promise<ManifestObject[] | null> {
  const bytes = await readFileOrNull(parsedPath(env, checksum));
  if (bytes === null) return null;
  const end = bytes.indexOf(10);
  const body = bytes.subarray(end + 1);
  if (end < 0 || bytes.subarray(0, end).toString('latin1') !== sha256(body)) return null;
  const values: unknown = JSON.parse(body.toString('utf8'));
  if (!Array.isArray(values)) return null;
  const read = values.map(toManifestObject);
  return read.every((one) => 'object' in one) ? read.map(({ object }) => object) : null;
}

export async function keepParsed(env: Env, checksum: string, objects: readonly ManifestObject[]): Promise<void> {
  const body = JSON.stringify(objects);
  const head = createHash('sha256').update(body).digest('hex');
  await keep(parsedPath(env, checksum), Buffer.from(`${head}\n${body}`));
}

/** The number rises whenever the parser refuses or reads something that it did not before. */
const parsedPath = (env: Env, checksum: string) => `${pathOf(env, checksum)}.parsed-1.json`;
