import { closeSync } from 'node:fs';
import type { Libbpf } from '../libbpf.ts';
import { programTypes } from '../programs.ts';
import { gsoSize } from './kernel-parts.ts';

/** A kernel is asked for what it has, and not for its version. */
export type KernelHas = {
  /** A helper for programs of a type, both as linux/bpf.h numbers them; or a field of what those are given (`gsoSize`). */
  readonly part: (type: number, id: number) => boolean;
  /** A hook of sockets, by its number in enum bpf_attach_type. */
  readonly hook: (type: number) => boolean;
};

/** Instructions of linux/bpf.h: *r0 = a word of what r1 leads to*, *r0 = 1*, and the end. */
const readField = (offset: number) => Buffer.from([0x61, 0x10, offset & 0xff, offset >> 8, 0, 0, 0, 0]);
const one = Buffer.from([0xb7, 0, 0, 0, 1, 0, 0, 0]);
const end = Buffer.from([0x95, 0, 0, 0, 0, 0, 0, 0]);

/** Where `gso_size` stands in struct __sk_buff. */
const gsoSizeAt = 176;
/** struct bpf_prog_load_opts as far as `expected_attach_type`. */
const options = { size: 16, expectedAttachType: 12 } as const;

/** Each question is asked once. */
export function askKernel(libbpf: Libbpf): KernelHas {
  const known = new Map<string, boolean>();
  const once = (key: string, ask: () => boolean) => {
    const has = known.get(key) ?? ask();
    known.set(key, has);
    return has;
  };
  return {
    part: (type, id) =>
      once(`${type}/${id}`, () =>
        id === gsoSize
          ? isLoaded(libbpf, programTypes.interface, 0, readField(gsoSizeAt), end)
          : libbpf.number('probeHelper', `say whether it has helper ${id}`, type, id, null) === 1,
      ),
    hook: (type) => once(`hook ${type}`, () => isLoaded(libbpf, programTypes.socket, type, one, end)),
  };
}

/** Whether the kernel loads a program that does nothing else; what else fails, it says of the programs themselves. */
function isLoaded(libbpf: Libbpf, type: number, attachType: number, ...code: readonly Buffer[]): boolean {
  const opts = Buffer.alloc(options.size);
  opts.writeBigUInt64LE(BigInt(opts.length), 0);
  opts.writeUInt32LE(attachType, options.expectedAttachType);
  const given = [type, 'asks', 'GPL', Buffer.concat(code), code.length, opts] as const;
  const program = libbpf.numberUnless(['EINVAL', 'EACCES'], 'loadProgram', 'load a program that asks', ...given);
  if (program !== null) closeSync(program);
  return program !== null;
}
