import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const sqliteBusy = 5;

/**
 * One console a state folder. The lock is SQLite's, which is the operating system's: it ends with its process, however that ends, so that nothing
 * stale is ever left behind. Null when another process has it.
 */
export function lockInstance(folder: string): { release(): void } | null {
  const database = new DatabaseSync(join(folder, 'console.lock'), { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return null;
    throw error;
  }
  return { release: () => database.close() };
}
