import { closeSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Libbpf } from '../libbpf.ts';
import type { DataPlane } from '../load/load-data-plane.ts';
import { type InterfaceProgram, interfacePrograms } from '../programs.ts';
import { attachByClsact, detachFromClsact, isAtClsact } from './attach-by-clsact.ts';
import { isLinkAttached, renewLink } from './pinned-link.ts';

/** Of enum bpf_attach_type: BPF_TCX_INGRESS and BPF_TCX_EGRESS (Linux 6.6). */
const tcx: Readonly<Record<InterfaceProgram, number>> = { incoming: 46, outgoing: 47 };

const pinOf = (pins: string, ifindex: number, direction: InterfaceProgram) => join(pins, `${ifindex}-${direction}`);

/**
 * Attaches the programs of an interface by links of tcx, else as filters of clsact, beside what others have attached. In this thread's network namespace. The
 * programs do nothing until the interface stands in the map `interfaces`.
 * @param pins a folder in bpffs; null attaches for as long as the file descriptors are open
 * @returns how to let go: descriptors are closed, pins stay; filters of clsact are detached where nothing is pinned
 * @throws BpfError
 */
export function attachInterface(
  plane: DataPlane,
  { ifindex, pins }: { readonly ifindex: number; readonly pins: string | null },
): () => void {
  const { libbpf, programs } = plane;
  const links: number[] = [];
  try {
    if (pins !== null) mkdirSync(pins, { recursive: true, mode: 0o700 });
    for (const direction of interfacePrograms) {
      const program = programs[direction];
      const pin = pins === null ? null : pinOf(pins, ifindex, direction);
      if (pin !== null && renewLink(libbpf, pin, program)) continue;
      const link = libbpf.numberUnless(
        ['EINVAL'],
        'createLink',
        `attach to interface ${ifindex}`,
        program,
        ifindex,
        tcx[direction],
        null,
      );
      // Of the first one: a kernel has tcx for both directions, or for none.
      if (link === null) {
        attachByClsact(plane, ifindex);
        return () => {
          if (pins === null) detachFromClsact(libbpf, ifindex);
        };
      }
      links.push(link);
      if (pin !== null) libbpf.number('pin', `pin ${pin}`, link, pin);
    }
  } catch (error) {
    for (const link of links) closeSync(link);
    throw error;
  }
  return () => {
    for (const link of links.splice(0)) closeSync(link);
  };
}

/** Whether both programs of an interface are still where `attachInterface` has put them. In this thread's network namespace. @throws BpfError */
export function isInterfaceAttached(
  libbpf: Libbpf,
  { ifindex, pins }: { readonly ifindex: number; readonly pins: string },
): boolean {
  return (
    interfacePrograms.every((direction) => isLinkAttached(libbpf, pinOf(pins, ifindex, direction))) ||
    isAtClsact(libbpf, ifindex)
  );
}

/** Detaches what was pinned, or attached to clsact, also by a process that is gone. @throws BpfError */
export function detachInterface(
  libbpf: Libbpf,
  { ifindex, pins }: { readonly ifindex: number; readonly pins: string },
): void {
  for (const direction of interfacePrograms) rmSync(pinOf(pins, ifindex, direction), { force: true });
  detachFromClsact(libbpf, ifindex);
}
