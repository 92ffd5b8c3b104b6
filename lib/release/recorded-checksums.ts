import { randomUUID } from 'node:crypto';
import { link, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cacheFolder } from './cache-folder.ts';
import { codeOf, diskError, readFileOrNull } from './kept-files.ts';
import { ReleaseError } from './release-error.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** What the file of a release was when it was first used on this machine, for releases whose checksums are not pinned. */
const pathOf = (env: Env, version: string, file: string) =>
  join(cacheFolder(env), 'releases', 'recorded', version, `${file}.sha256`);

/** Null where the file was not used yet. */
export async function recordedChecksum(env: Env, version: string, file: string): Promise<string | null> {
  const path = pathOf(env, version, file);
  const text = (await readFileOrNull(path))?.toString('latin1').trim();
  if (text === undefined) return null;
  if (/^[0-9a-f]{64}$/.test(text)) return text;
  throw new ReleaseError(
    'release.disk',
    `${path} should hold the checksum of ${file} of ${version} as it was first used, and holds something else. Remove it to record the file anew.`,
  );
}

/** Records a checksum once: of two processes that come at the same time one does, and both get what it recorded. */
export async function recordChecksum(env: Env, version: string, file: string, checksum: string): Promise<string> {
  const path = pathOf(env, version, file);
  const draft = `${path}.${randomUUID()}.new`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(draft, `${checksum}\n`, { flush: true });
    // Unlike a rename, a link never takes another's place.
    await link(draft, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw diskError(path, 'written', error);
  } finally {
    await rm(draft, { force: true });
  }
  return (await recordedChecksum(env, version, file)) ?? checksum;
}

/** How to forget it, for who knows that the file has changed with good reason. */
export function recordedPath(env: Env, version: string, file: string): string {
  return pathOf(env, version, file);
}
