import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The file of a history in its folder. Contexts of different clusters may have the same name (k3s calls each `default`), so the UID is part of it. */
export function historyFile(slug: string, uid: string): string {
  return `${slug}-${uid.replaceAll(/[^0-9a-zA-Z-]/g, '_').slice(0, 64)}.duckdb`;
}

/** Files of histories, also those that were set aside; none if the folder does not exist. */
export async function historyFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => name.includes('.duckdb'));
}

/** Removes histories without a write for `keptSeconds`: nobody opens them, so nobody removes their old flows. `nowMs`: wall clock. */
export async function removeOldHistories(folder: string, keptSeconds: number, nowMs: number): Promise<void> {
  const newest = new Map<string, { names: string[]; writtenMs: number }>();
  for (const name of await historyFiles(folder)) {
    // A database and its log belong together: either may be the newer file.
    const one = name.replace(/\.(?:wal|tmp)$/, '');
    const { mtimeMs } = await stat(join(folder, name));
    const known = newest.get(one) ?? { names: [], writtenMs: 0 };
    newest.set(one, { names: [...known.names, name], writtenMs: Math.max(known.writtenMs, mtimeMs) });
  }
  for (const { names, writtenMs } of newest.values())
    if (nowMs - writtenMs > keptSeconds * 1000)
      for (const name of names) await rm(join(folder, name), { recursive: true, force: true });
}
