import { readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Where the agent pins what outlives it: maps, and the links that hold programs attached. */
export function pinsOf(pins: string): { readonly maps: string; readonly links: string } {
  return { maps: join(pins, 'maps'), links: join(pins, 'links') };
}

/**
 * Takes away what an agent has left in the kernel: links first, by which the programs are detached, then maps. Sockets that were given a backend keep it, so no
 * connection ends. Returns how many pins there were; what was not there is no fault.
 */
export function leaveNode(pins: string): number {
  const { links, maps } = pinsOf(pins);
  let removed = 0;
  for (const folder of [links, maps]) {
    for (const name of namesIn(folder)) {
      unlinkSync(join(folder, name));
      removed++;
    }
    removeFolder(folder);
  }
  removeFolder(pins);
  return removed;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function removeFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTEMPTY') throw error;
  }
}
