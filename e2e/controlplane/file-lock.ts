import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '#lib/base/process-identity.ts';

/**
 * Runs `work` while no other process of this machine holds the same lock file. The file contains its owner's pid.
 * A lock whose owner is dead is taken over. Two waiters may take it over at once: `work` must tolerate that (binaries.ts renames).
 */
export async function withFileLock<T>(
  path: string,
  onWait: (owner: number) => void,
  work: () => Promise<T>,
): Promise<T> {
  for (let isReported = false; !take(path); ) {
    const owner = ownerOf(path);
    if (owner !== null && !isAlive({ pid: owner })) {
      rmSync(path, { force: true });
      continue;
    }
    if (!isReported && owner !== null) onWait(owner);
    isReported = true;
    await sleep(500);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function take(path: string): boolean {
  try {
    writeFileSync(path, `${process.pid}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function ownerOf(path: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
    return pid > 0 ? pid : null;
  } catch {
    return null;
  }
}
