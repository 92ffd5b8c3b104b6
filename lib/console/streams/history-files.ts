import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The file of a history in its folder. Contexts of different clusters share names (k3s calls each `default`): the cluster's UID tells them apart. */
export function historyFile(slug: string, uid: string): string {
  return `${slug}-${uid.replaceAll(/[^0-9a-zA-Z-]/g, '_').slice(0, 64)}.duckdb`;
}

/** Files of histories, those that were set aside among them; none where the folder is not there. */
export async function historyFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => name.includes('.duckdb'));
}

/** Removes the files of histories in which nothing was written for `keptSeconds`: nobody opens them to remove what is too old. `nowMs`: wall clock. */
export async function removeOldHistories(folder: string, keptSeconds: number, nowMs: number): Promise<void> {
  const newest = new Map<string, { names: string[]; writtenMs: number }>();
  for (const name of await historyFiles(folder)) {
    // A database and its log are one: either may be the newer.
    const one = name.replace(/\.(?:wal|tmp)$/, '');
    const { mtimeMs } = await stat(join(folder, name));
    const known = newest.get(one) ?? { names: [], writtenMs: 0 };
    newest.set(one, { names: [...known.names, name], writtenMs: Math.max(known.writtenMs, mtimeMs) });
  }
  for (const { names, writtenMs } of newest.values())
    if (nowMs - writtenMs > keptSeconds * 1000)
      for (const name of names) await rm(join(folder, name), { recursive: true, force: true });
}
