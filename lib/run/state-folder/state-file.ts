import { randomBytes } from 'node:crypto';
import { link, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes a file whole or not at all: neither a reader nor a process that starts after a kill sees half of it. Mode 0600. */
export async function writeStateFile(path: string, data: unknown): Promise<void> {
  await writeWhole(path, `${JSON.stringify(data, null, 2)}\n`);
}

/** Writes text or bytes to a file, whole or not at all, as `writeStateFile` does for JSON. Mode 0600. */
export async function writeWhole(path: string, data: string | Uint8Array): Promise<void> {
  const partial = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.part`;
  try {
    const file = await open(partial, 'wx', 0o600);
    try {
      await file.writeFile(data);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** A write takes far less time, so no living process loses its file. */
const partsLeftMs = 3_600_000;

/** Removes what killed processes left half written in a folder. Rejects only if something cannot be removed. */
export async function sweepParts(folder: string, now = Date.now()): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names.filter((one) => /\.\d+\.[0-9a-f]{8}\.part$/.test(one))) {
    const path = join(folder, name);
    const written = await stat(path).catch(() => null);
    if (written !== null && now - written.mtimeMs > partsLeftMs) await rm(path, { force: true });
  }
}

/**
 * The content of a file, which is created if missing. Processes that start at the same time agree on the first one's. Written whole or not at all: an
 * empty file on a full disk would give every installation the same key.
 */
export async function writtenOnce(path: string, make: () => string): Promise<string> {
  const known = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (known !== null && known.trim() !== '') return known.trim();
  const text = make();
  const complete = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    await writeWhole(complete, `${text}\n`);
    if (known !== null) await rename(complete, path);
    else await link(complete, path);
    return text;
  } catch (error) {
    // Another process created it first.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return (await readFile(path, 'utf8')).trim();
    throw error;
  } finally {
    await rm(complete, { force: true });
  }
}
