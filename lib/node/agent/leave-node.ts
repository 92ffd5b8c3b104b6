import { existsSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import {
  BpfError,
  detachFromClsact,
  detachPinnedPrograms,
  type HandedOverMaps,
  holdPins,
  openLibbpf,
  openPinnedToHandOver,
} from '../bpf/index.ts';
import { linksOfHost } from '../host/links.ts';
import { leaving } from './leaving.ts';

/** The folders in which the agent pins what outlives it: maps, and the links that keep programs attached. */
export function pinsOf(pins: string): { readonly maps: string; readonly links: string } {
  return { maps: join(pins, 'maps'), links: join(pins, 'links') };
}

/**
 * Removes what an agent has left in the kernel: first the links and filters, which detaches the programs, then the maps. Sockets that were given a
 * backend keep it, so their connections continue. Connections that were translated packet by packet end, except those that `before` hands over.
 * Missing pins are no error. If `before` fails, nothing is detached; if the removal fails, it may be repeated.
 * @param before called with the maps while the programs are still attached; null: nothing is handed over
 * @returns how many pins there were
 * @throws BpfError if an agent still uses the pins: its file descriptors would keep the programs attached; `layout` if one of another version has
 * pinned records that this one cannot read, and so not hand over
 */
export async function leaveNode(
  pins: string,
  before: ((maps: HandedOverMaps) => Promise<void>) | null,
): Promise<number> {
  const { links, maps } = pinsOf(pins);
  const letGo = holdPins(pins, { make: false });
  if (letGo === null) return 0;
  try {
    const opened = toHandOver(maps, before !== null);
    try {
      if (opened && before) await leaving(opened.maps, () => before(opened.maps));
      if (existsSync(maps)) detachFilters();
      if (existsSync(links)) detachPinnedPrograms(openLibbpf(), links);
      const removed = removePins(links);
      // From now on a program that another process still holds does nothing.
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

/** Null: there are none; or they cannot be read, and need not be. */
function toHandOver(maps: string, isNeeded: boolean): ReturnType<typeof openPinnedToHandOver> {
  try {
    return openPinnedToHandOver(maps);
  } catch (error) {
    if (!isNeeded && error instanceof BpfError && error.code === 'layout') return null;
    throw error;
  }
}

/** Before Linux 6.6 programs are attached by clsact, without a pin. They are searched at every interface by our own handle. */
function detachFilters(): void {
  const libbpf = openLibbpf();
  for (const { ifindex } of linksOfHost()) detachFromClsact(libbpf, ifindex);
}

function stopServing({ config }: Pick<HandedOverMaps, 'config'>): void {
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
