import { closeSync, fstatSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { DataPlane } from '../load/load-data-plane.ts';
import { type SocketHook, socketHooks } from '../programs.ts';
import { isLinkAttached, renewLink } from './pinned-link.ts';
import { attachPinnedProgram, isProgram, isProgramAttached, isProgramPinned } from './pinned-program.ts';

/** Where the programs of sockets are attached, and what holds them there. */
export type SocketPlace = {
  /** A folder of cgroup2: it is every process in it and below. */
  readonly cgroup: string;
  /** A folder in bpffs. */
  readonly pins: string;
};

const hooks = Object.entries(socketHooks) as [SocketHook, number][];

/**
 * Attaches the programs of sockets to a folder of cgroup2: to every process in it and below. A link that is pinned already is given the new program
 * in place, so that no connect() passes between the two; a pin whose folder of cgroup2 went, or is another one, is replaced. Before links (Linux 5.7) the
 * programs themselves are attached, and pinned.
 * @param pins null attaches for as long as the file descriptors returned are open, or until they are let go
 * @returns how to let go: descriptors are closed, pins stay
 * @throws BpfError
 */
export function attachSockets(
  { libbpf, programs }: DataPlane,
  { cgroup, pins }: Pick<SocketPlace, 'cgroup'> & { readonly pins: string | null },
): () => void {
  const folder = openSync(cgroup, 'r');
  const letGo: (() => void)[] = [];
  const { ino } = fstatSync(folder, { bigint: true });
  try {
    if (pins !== null) mkdirSync(pins, { recursive: true, mode: 0o700 });
    for (const [hook, type] of hooks) {
      const program = programs[hook];
      if (program === undefined) continue;
      const pin = pins === null ? null : join(pins, hook);
      const isByProgram = pin !== null && isProgramPinned(libbpf, pin);
      if (pin !== null && !isByProgram && renewLink(libbpf, pin, program, ino)) continue;
      // Where the kernel knows no such command. What began without a link goes on without: it could not be pinned in the program's place.
      const link = isByProgram
        ? null
        : libbpf.numberUnless(['EINVAL'], 'createLink', `attach ${hook} to ${cgroup}`, program, folder, type, null);
      if (link === null) {
        letGo.push(attachPinnedProgram(libbpf, { cgroup, type, program, pin }));
        continue;
      }
      letGo.push(() => closeSync(link));
      if (pin !== null) libbpf.number('pin', `pin ${hook}`, link, pin);
    }
  } catch (error) {
    for (const one of letGo) one();
    throw error;
  } finally {
    closeSync(folder);
  }
  return () => {
    for (const one of letGo.splice(0)) one();
  };
}

/** Whether all that this kernel has hooks for are still where `attachSockets` has put them. @throws BpfError */
export function areSocketsAttached({ libbpf, programs }: DataPlane, { cgroup, pins }: SocketPlace): boolean {
  return hooks.every(([hook, type]) => {
    if (programs[hook] === undefined) return true;
    const pin = join(pins, hook);
    return isProgram(libbpf, pin) ? isProgramAttached(libbpf, { cgroup, type, pin }) : isLinkAttached(libbpf, pin);
  });
}
