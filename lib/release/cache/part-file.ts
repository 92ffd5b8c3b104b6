import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { isAlive } from '#lib/base/process-identity.ts';
import type { Cache } from './cache.ts';
import { codeOf, diskError } from './kept-files.ts';

/** The server's identification of the partial file: only the same file may be resumed. */
const noteSchema = z.strictObject({
  /** A strong ETag, or Last-Modified (RFC 9110 §13.1.5); null where the server gave none, and then nothing can be resumed. */
  validator: z.string().nullable(),
  total: z.number().nullable(),
});
type PartNote = z.infer<typeof noteSchema>;

/** The start of a file, which survives interruptions, also of the process or machine. */
export type PartFile = {
  /** Number of bytes so far. */
  readonly size: () => number;
  readonly note: () => PartNote | null;
  /** Empties it, for another file or the same from its start. */
  readonly restart: (note: PartNote) => Promise<void>;
  readonly append: (bytes: Uint8Array) => Promise<void>;
  /** Reads all of it from the disk. */
  readonly read: () => Promise<Uint8Array>;
  /** Leaves it for a later download to resume. */
  readonly leave: () => Promise<void>;
  readonly remove: () => Promise<void>;
};

/** Partial files that this process is using. */
const inUse = new Set<string>();
let count = 0;

/**
 * Takes over the partial file that another download of this address left, or starts a new one. Each download uses its own file, named after its process. Taking
 * over is a rename, so only one of two processes succeeds.
 *
 * @param left Whether to take over. Only with a known checksum, because others may have changed the file.
 */
export async function openPart(cache: Cache, address: string, left: 'take-over' | 'pass-over'): Promise<PartFile> {
  const folder = join(cache.folder, 'releases', 'parts');
  const key = createHash('sha256').update(address).digest('hex').slice(0, 32);
  const path = join(folder, `${key}.${hostname()}.${process.pid}.${count++}.part`);
  inUse.add(path);
  try {
    await mkdir(folder, { recursive: true });
    for (const part of left === 'take-over' ? await abandoned(folder, key) : []) {
      if (await moved(part, path)) {
        await moved(`${part}.json`, `${path}.json`);
        break;
      }
    }
    return await partAt(path);
  } catch (error) {
    inUse.delete(path);
    throw diskError(path, 'written', error);
  }
}

async function partAt(path: string): Promise<PartFile> {
  const file = await open(path, 'a+');
  let size = (await stat(path)).size;
  let note = await readNote(`${path}.json`);
  const failing = async <T>(act: () => Promise<T>): Promise<T> => {
    try {
      return await act();
    } catch (error) {
      throw diskError(path, 'written', error);
    }
  };
  const end = async () => {
    await file.close();
    inUse.delete(path);
  };
  return {
    size: () => size,
    note: () => note,
    restart: (next) =>
      failing(async () => {
        await rm(`${path}.json`, { force: true });
        if (size > 0) await file.truncate(0);
        size = 0;
        await writeFile(`${path}.json`, JSON.stringify(next));
        note = next;
      }),
    append: (bytes) =>
      failing(async () => {
        await file.appendFile(bytes);
        size += bytes.length;
      }),
    read: () => failing(() => readFile(path)),
    leave: end,
    remove: async () => {
      await end();
      await rm(path, { force: true });
      await rm(`${path}.json`, { force: true });
    },
  };
}

/** Partial files of this address whose process has ended. Those of other machines are ignored, because their processes cannot be checked. */
async function abandoned(folder: string, key: string): Promise<readonly string[]> {
  const prefix = `${key}.${hostname()}.`;
  return (await readdir(folder)).sort().flatMap((name) => {
    const rest = name.startsWith(prefix) ? /^(\d+)\.\d+\.part$/.exec(name.slice(prefix.length)) : null;
    if (rest === null) return [];
    const path = join(folder, name);
    const pid = Number(rest[1]);
    return (pid === process.pid ? inUse.has(path) : isAlive({ pid })) ? [] : [path];
  });
}

async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

async function readNote(path: string): Promise<PartNote | null> {
  try {
    return noteSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return null;
  }
}
