import { randomBytes } from 'node:crypto';
import { link, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes a whole file or nothing: a reader, and a process that starts after a kill, never sees half of it. Mode 0600. */
export async function writeStateFile(path: string, data: unknown): Promise<void> {
  await writeWhole(path, `${JSON.stringify(data, null, 2)}\n`);
}

/** The same for bytes. */
export async function writeWhole(path: string, data: string | Uint8Array): Promise<void> {
  const whole = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.part`;
  try {
    const file = await open(whole, 'wx', 0o600);
    try {
      await file.writeFile(data);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(whole, path);
  } catch (error) {
    await rm(whole, { force: true });
    throw error;
  }
}

/** A write takes far less, and no process that lives is robbed of its file. */
const partsLeftMs = 3_600_000;

/** Removes what processes that were killed while they wrote have left in a folder. Rejects only where one cannot be removed. */
export async function sweepParts(folder: string, now = Date.now()): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names.filter((one) => /\.\d+\.[0-9a-f]{8}\.part$/.test(one))) {
    const path = join(folder, name);
    const written = await stat(path).catch(() => null);
    if (written !== null && now - written.mtimeMs > partsLeftMs) await rm(path, { force: true });
  }
}

/**
 * What a file holds, which is made when there is none: processes that start at once agree on the one that was first. Written whole or not at all:
 * on a full disk an empty file would be the same for everybody who has one.
 */
export async function writtenOnce(path: string, make: () => string): Promise<string> {
  const known = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (known !== null && known.trim() !== '') return known.trim();
  const text = make();
  const whole = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    await writeWhole(whole, `${text}\n`);
    if (known !== null) await rename(whole, path);
    else await link(whole, path);
    return text;
  } catch (error) {
    // Another process was first.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return (await readFile(path, 'utf8')).trim();
    throw error;
  } finally {
    await rm(whole, { force: true });
  }
}
