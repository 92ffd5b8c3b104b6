import { closeSync, fstatSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { DataPlane } from '../load/load-data-plane.ts';
import { type SocketHook, socketHooks } from '../programs.ts';
import { isLinkAttached, renewLink } from './pinned-link.ts';
import { attachPinnedProgram, isProgram, isProgramAttached, isProgramPinned } from './pinned-program.ts';

/** Where the programs of sockets are attached and pinned. */
export type SocketAttachment = {
  /** A folder of cgroup2. The programs serve every process in it and below. */
  readonly cgroup: string;
  /** A folder in bpffs. */
  readonly pins: string;
};

const hooks = Object.entries(socketHooks) as [SocketHook, number][];

/**
 * Attaches the programs of sockets to a folder of cgroup2. A pinned link gets the new program in place, so that no connect() passes between the two;
 * a pin whose folder was deleted, or is a different one, is replaced. Before links (Linux 5.7) the programs themselves are attached and pinned.
 * @param pins null attaches only until the returned function is called
 * @returns a function that closes the descriptors; what is pinned stays attached
 * @throws BpfError
 */
export function attachSockets(
  { libbpf, programs }: DataPlane,
  { cgroup, pins }: Pick<SocketAttachment, 'cgroup'> & { readonly pins: string | null },
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
      // EINVAL: this kernel has no links for cgroups. A hook that was attached without a link stays without: a link could not be pinned in the
      // program's place.
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

/** Whether all programs for the hooks of this kernel are still attached as `attachSockets` has left them. @throws BpfError */
export function areSocketsAttached({ libbpf, programs }: DataPlane, { cgroup, pins }: SocketAttachment): boolean {
  return hooks.every(([hook, type]) => {
    if (programs[hook] === undefined) return true;
    const pin = join(pins, hook);
    return isProgram(libbpf, pin) ? isProgramAttached(libbpf, { cgroup, type, pin }) : isLinkAttached(libbpf, pin);
  });
}
