import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '#lib/run/index.ts';

/**
 * Random bytes that survive a restart, in a file of the state folder, mode 0600. A file that others could have read, or that `isWhole` rejects, is replaced,
 * which ends all sessions and has no other effect.
 */
export async function keptSecret(
  folder: string,
  name: string,
  isValid: (bytes: Buffer) => boolean,
  make: () => Buffer,
): Promise<Buffer> {
  const path = join(folder, name);
  try {
    const [kept, { mode }] = await Promise.all([readFile(path), stat(path)]);
    if (isValid(kept) && (mode & 0o077) === 0) return kept;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const made = make();
  await writeWhole(path, made);
  return made;
}
