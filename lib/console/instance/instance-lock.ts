import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FolderRefused } from '#lib/folders/index.ts';

const sqliteBusy = 5;
const sqliteNoDatabase = 26;

/**
 * One console a state folder. The lock is SQLite's, which is the operating system's: it ends with its process, however that ends, so that nothing
 * stale is ever left behind. Null when another process has it. Throws with a sentence for the reader where the file is none of ours.
 */
export function lockInstance(folder: string): { release(): void } | null {
  const path = join(folder, 'console.lock');
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!(error instanceof Error) || !('errcode' in error)) throw error;
    if (error.errcode === sqliteBusy) return null;
    if (error.errcode !== sqliteNoDatabase) throw error;
    throw new FolderRefused(
      `${path} is not a lock file, so it is not verified that no other console runs here. It holds no data: if no other console runs, delete it and start again.`,
    );
  }
  return { release: () => database.close() };
}
