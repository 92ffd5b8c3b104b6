import { closeSync } from 'node:fs';
import type { Libbpf } from '../libbpf.ts';
import { programTypes } from '../programs.ts';
import { gsoSize } from './kernel-parts.ts';

/** What the kernel has, found out by trying and not by its version: distributions backport features. */
export type KernelHas = {
  /** A helper for a program type, both numbered as in linux/bpf.h; or a field of the programs' context (`gsoSize`). */
  readonly part: (type: number, id: number) => boolean;
  /** A socket hook, by its number in enum bpf_attach_type. */
  readonly hook: (type: number) => boolean;
};

/** Instructions of linux/bpf.h: *r0 = the word at r1 + offset*, *r0 = 1*, *exit*. */
const readField = (offset: number) => Buffer.from([0x61, 0x10, offset & 0xff, offset >> 8, 0, 0, 0, 0]);
const one = Buffer.from([0xb7, 0, 0, 0, 1, 0, 0, 0]);
const end = Buffer.from([0x95, 0, 0, 0, 0, 0, 0, 0]);

/** The offset of `gso_size` in struct __sk_buff. */
const gsoSizeAt = 176;
/** struct bpf_prog_load_opts up to `expected_attach_type`. */
const options = { size: 16, expectedAttachType: 12 } as const;

/** Asks the kernel each question once and remembers the answer. */
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

/** Whether the kernel loads a program of these instructions. @throws BpfError for errors other than EINVAL and EACCES */
function isLoaded(libbpf: Libbpf, type: number, attachType: number, ...code: readonly Buffer[]): boolean {
  const opts = Buffer.alloc(options.size);
  opts.writeBigUInt64LE(BigInt(opts.length), 0);
  opts.writeUInt32LE(attachType, options.expectedAttachType);
  const given = [type, 'asks', 'GPL', Buffer.concat(code), code.length, opts] as const;
  const program = libbpf.numberUnless(['EINVAL', 'EACCES'], 'loadProgram', 'load a program for a test', ...given);
  if (program !== null) closeSync(program);
  return program !== null;
}
