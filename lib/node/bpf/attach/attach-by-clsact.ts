import type { Libbpf } from '../libbpf.ts';
import type { DataPlane } from '../load/load-data-plane.ts';
import { type InterfaceProgram, interfacePrograms } from '../programs.ts';
import { hasClsactFilters } from './clsact-filters.ts';

/** enum bpf_tc_attach_point of libbpf.h. Both values together mean both directions. */
const directions: Readonly<Record<InterfaceProgram, number>> = { incoming: 1, outgoing: 2 };

/** The priority and handle of our filters at an interface. Filters with another handle are left alone; attaching again replaces ours in place. */
const ourFilter = { priority: 2, handle: 0x5b16 } as const;
const replaceOurs = 1;

/** struct bpf_tc_hook. */
function hookOf(ifindex: number, direction: number): Buffer {
  const hook = Buffer.alloc(24);
  hook.writeBigUInt64LE(BigInt(hook.length), 0);
  hook.writeInt32LE(ifindex, 8);
  hook.writeUInt32LE(direction, 12);
  return hook;
}

/** struct bpf_tc_opts. */
function filterOf(program: number, flags: number): Buffer {
  const options = Buffer.alloc(32);
  options.writeBigUInt64LE(BigInt(options.length), 0);
  options.writeInt32LE(program, 8);
  options.writeUInt32LE(flags, 12);
  options.writeUInt32LE(ourFilter.handle, 20);
  options.writeUInt32LE(ourFilter.priority, 24);
  return options;
}

/**
 * Attaches the programs of an interface as filters of clsact, for kernels before tcx (Linux 6.6). The filters outlive this process, until they are
 * detached or the interface is deleted. If it fails, those of an earlier agent stay: they go on serving.
 * @throws BpfError
 */
export function attachByClsact({ libbpf, programs }: DataPlane, ifindex: number): void {
  const hadFilters = isAtClsact(libbpf, ifindex);
  try {
    libbpf.numberUnless(
      ['EEXIST'],
      'createTcHook',
      `make clsact at interface ${ifindex}`,
      hookOf(ifindex, directions.incoming | directions.outgoing),
    );
    for (const direction of interfacePrograms)
      libbpf.number(
        'attachTc',
        `attach to interface ${ifindex}`,
        hookOf(ifindex, directions[direction]),
        filterOf(programs[direction], replaceOurs),
      );
  } catch (error) {
    if (!hadFilters) detachFromClsact(libbpf, ifindex);
    throw error;
  }
}

/** Whether our filters are attached in both directions. @throws BpfError */
export function isAtClsact(libbpf: Libbpf, ifindex: number): boolean {
  return interfacePrograms.every(
    (direction) =>
      libbpf.numberUnless(
        ['ENOENT', 'EINVAL', 'ENODEV'],
        'queryTc',
        `read a filter of interface ${ifindex}`,
        hookOf(ifindex, directions[direction]),
        filterOf(0, 0),
      ) !== null,
  );
}

/**
 * Detaches our filters, and deletes the queueing discipline with the last filter. Does nothing without filters of ours or without the interface.
 * @throws BpfError
 */
export function detachFromClsact(libbpf: Libbpf, ifindex: number): void {
  const detached = interfacePrograms.filter(
    (direction) =>
      libbpf.numberUnless(
        ['ENOENT', 'EINVAL', 'ENODEV'],
        'detachTc',
        `detach from interface ${ifindex}`,
        hookOf(ifindex, directions[direction]),
        filterOf(0, 0),
      ) !== null,
  );
  if (detached.length === 0 || hasClsactFilters(ifindex)) return;
  libbpf.numberUnless(
    ['ENOENT', 'EINVAL', 'ENODEV'],
    'destroyTcHook',
    `remove clsact of interface ${ifindex}`,
    hookOf(ifindex, directions.incoming | directions.outgoing),
  );
}
