import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FolderRefused } from '#lib/folders/index.ts';

const sqliteBusy = 5;
const sqliteNoDatabase = 26;

/**
 * Takes the lock of a state folder, which has one console. SQLite uses the operating system's locks, which end with their process, so none is ever stale.
 * Null if another process has it. Throws an Error with a sentence for the user if the file is not Signalbox's.
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
