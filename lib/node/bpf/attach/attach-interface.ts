import { closeSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Libbpf } from '../libbpf.ts';
import type { DataPlane } from '../load/load-data-plane.ts';
import { type InterfaceProgram, interfacePrograms } from '../programs.ts';
import { attachByClsact, detachFromClsact, isAtClsact } from './attach-by-clsact.ts';
import { isLinkAttached, renewLink } from './pinned-link.ts';

/** BPF_TCX_INGRESS and BPF_TCX_EGRESS of enum bpf_attach_type (Linux 6.6). */
const tcx: Readonly<Record<InterfaceProgram, number>> = { incoming: 46, outgoing: 47 };

const pinOf = (pins: string, ifindex: number, direction: InterfaceProgram) => join(pins, `${ifindex}-${direction}`);

/**
 * Attaches both programs to an interface, beside those of others: by tcx links, or as clsact filters where the kernel has no tcx. Works in this
 * thread's network namespace. The programs do nothing until the interface is in the map `interfaces`.
 * @param pins a folder in bpffs; null attaches only until the returned function is called
 * @returns a function that closes the descriptors; pinned links stay attached, and clsact filters are detached only if `pins` is null
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
      // Null can only occur at the first direction: a kernel has tcx for both or for none.
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

/**
 * Whether both programs of an interface are still attached as `attachInterface` has left them, in this thread's network namespace. @throws BpfError
 */
export function isInterfaceAttached(
  libbpf: Libbpf,
  { ifindex, pins }: { readonly ifindex: number; readonly pins: string },
): boolean {
  return (
    interfacePrograms.every((direction) => isLinkAttached(libbpf, pinOf(pins, ifindex, direction))) ||
    isAtClsact(libbpf, ifindex)
  );
}

/** Detaches both programs of an interface, also those that an earlier process has attached. @throws BpfError */
export function detachInterface(
  libbpf: Libbpf,
  { ifindex, pins }: { readonly ifindex: number; readonly pins: string },
): void {
  for (const direction of interfacePrograms) rmSync(pinOf(pins, ifindex, direction), { force: true });
  detachFromClsact(libbpf, ifindex);
}
