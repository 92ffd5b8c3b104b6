import { closeSync, fstatSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Libbpf } from '../libbpf.ts';
import type { DataPlane } from '../load/load-data-plane.ts';
import { type SocketHook, socketHooks } from '../programs.ts';
import { isLinkAttached, renewLink } from './pinned-link.ts';

/**
 * Attaches the programs of sockets to a folder of cgroup2: to every process in it and below. A link that is pinned already is given the new program
 * in place, so that no connect() passes between the two; a pin whose folder of cgroup2 went, or is another one, is replaced.
 * @param pins a folder in bpffs; null attaches for as long as the file descriptors returned are open
 * @returns how to let go: descriptors are closed, pins stay
 * @throws BpfError
 */
export function attachSockets(
  { libbpf, programs }: DataPlane,
  { cgroup, pins }: { readonly cgroup: string; readonly pins: string | null },
): () => void {
  const folder = openSync(cgroup, 'r');
  const links: number[] = [];
  const { ino } = fstatSync(folder, { bigint: true });
  try {
    if (pins !== null) mkdirSync(pins, { recursive: true, mode: 0o700 });
    for (const [hook, type] of Object.entries(socketHooks) as [SocketHook, number][]) {
      const pin = pins === null ? null : join(pins, hook);
      const program = programs[hook];
      if (pin !== null && renewLink(libbpf, pin, program, ino)) continue;
      const link = libbpf.number('createLink', `attach ${hook} to ${cgroup}`, program, folder, type, null);
      links.push(link);
      if (pin !== null) libbpf.number('pin', `pin ${hook}`, link, pin);
    }
  } catch (error) {
    for (const link of links) closeSync(link);
    throw error;
  } finally {
    closeSync(folder);
  }
  return () => {
    for (const link of links.splice(0)) closeSync(link);
  };
}

/** Whether all of them are still where `attachSockets` has put them. @throws BpfError */
export function areSocketsAttached(libbpf: Libbpf, pins: string): boolean {
  return Object.keys(socketHooks).every((hook) => isLinkAttached(libbpf, join(pins, hook)));
}
