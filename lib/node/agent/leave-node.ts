import { existsSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { detachFromClsact, holdPins, openLibbpf } from '../bpf/index.ts';
import { linksOfHost } from '../host/links.ts';

/** Where the agent pins what outlives it: maps, and the links that hold programs attached. */
export function pinsOf(pins: string): { readonly maps: string; readonly links: string } {
  return { maps: join(pins, 'maps'), links: join(pins, 'links') };
}

/**
 * Takes away what an agent has left in the kernel: links first, by which the programs are detached, then maps. Sockets that were given a backend keep it, so no
 * connection of theirs ends; what was translated packet by packet does. Returns how many pins there were; what was not there is no fault.
 * @throws BpfError where an agent still uses them: its descriptors would keep the programs attached
 */
export function leaveNode(pins: string): number {
  const { links, maps } = pinsOf(pins);
  const letGo = holdPins(pins, { make: false });
  if (letGo === null) return 0;
  try {
    if (existsSync(maps)) detachFilters();
    return removePins(pins, [links, maps]);
  } finally {
    letGo();
  }
}

/** What clsact holds, before Linux 6.6, has no pin: it is looked for at every interface, by a handle that is ours. */
function detachFilters(): void {
  const libbpf = openLibbpf();
  for (const { ifindex } of linksOfHost()) detachFromClsact(libbpf, ifindex);
}

function removePins(pins: string, folders: readonly string[]): number {
  let removed = 0;
  for (const folder of folders) {
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
