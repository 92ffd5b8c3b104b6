import { existsSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import {
  BpfError,
  type DataPlaneMaps,
  detachFromClsact,
  detachPinnedPrograms,
  holdPins,
  openLibbpf,
  openPinnedMaps,
} from '../bpf/index.ts';
import { linksOfHost } from '../host/links.ts';
import { leaving } from './leaving.ts';

/** Where the agent pins what outlives it: maps, and the links that hold programs attached. */
export function pinsOf(pins: string): { readonly maps: string; readonly links: string } {
  return { maps: join(pins, 'maps'), links: join(pins, 'links') };
}

/**
 * Takes away what an agent has left in the kernel: links first, by which the programs are detached, then maps. Sockets that were given a backend keep it, so no
 * connection of theirs ends; what was translated packet by packet does, but for what `before` hands to somebody else. Returns how many pins there were; what was
 * not there is no fault. Where `before` fails all goes on as it did; where taking away does, it may be done again.
 * @param before given the maps, while the programs are still attached
 * @throws BpfError where an agent still uses them: its descriptors would keep the programs attached
 */
export async function leaveNode(
  pins: string,
  before: (maps: DataPlaneMaps) => Promise<void> = async () => {},
): Promise<number> {
  const { links, maps } = pinsOf(pins);
  const letGo = holdPins(pins, { make: false });
  if (letGo === null) return 0;
  try {
    const opened = mapsOfThisVersion(maps);
    try {
      if (opened) await leaving(opened.maps, () => before(opened.maps));
      if (existsSync(maps)) detachFilters();
      if (existsSync(links)) detachPinnedPrograms(openLibbpf(), links);
      const removed = removePins(links);
      // A program that something else still holds does nothing from now on.
      if (opened) stopServing(opened.maps);
      const all = removed + removePins(maps);
      removeFolder(pins);
      return all;
    } finally {
      opened?.close();
    }
  } finally {
    letGo();
  }
}

/** Null: none, or of an earlier agent, which nobody can read any more. */
function mapsOfThisVersion(maps: string): ReturnType<typeof openPinnedMaps> {
  try {
    return openPinnedMaps(maps);
  } catch (error) {
    if (error instanceof BpfError && error.code === 'layout') return null;
    throw error;
  }
}

/** What clsact holds, before Linux 6.6, has no pin: it is looked for at every interface, by a handle that is ours. */
function detachFilters(): void {
  const libbpf = openLibbpf();
  for (const { ifindex } of linksOfHost()) detachFromClsact(libbpf, ifindex);
}

function stopServing({ config }: DataPlaneMaps): void {
  const known = config.get(0);
  if (known) config.set(0, { ...known, flags: 0 });
}

function removePins(folder: string): number {
  const names = namesIn(folder);
  for (const name of names) unlinkSync(join(folder, name));
  removeFolder(folder);
  return names.length;
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
