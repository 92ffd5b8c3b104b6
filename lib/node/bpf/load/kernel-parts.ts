/** A feature that the programs use and a kernel may lack: a helper, or a field of their context. */
export type KernelPart = {
  /** A helper's number in enum bpf_func_id of linux/bpf.h; for a field a number that no helper has. */
  readonly id: number;
  readonly name: string;
  /** The first Linux that offers it to programs of this type. Others have it by a backport, so the kernel is asked. */
  readonly since: string;
  /**
   * How the programs do without it. A number: that helper is called instead, with the same arguments and an equally good result. `branch`: the
   * programs have another branch (`HAS` of bpf/kernel.h). Left out: they cannot do without it.
   */
  readonly without?: number | 'branch';
};

/**
 * BPF_FUNC_ktime_get_ns. As a substitute for jiffies it never returns the same tick twice, so bpf/clock.h reads the clock each time and the time is
 * exact.
 */
const ktimeGetNs = 5;

/** A field of struct __sk_buff, not a helper. */
export const gsoSize = 0x1000;

/** BPF_FUNC_redirect_neigh. A kernel without it also has a verifier that the programs do with less for. */
export const redirectNeigh = 152;

/** The versions were read in Linux's history (2026-11-27). bpf_set_retval is missing because `plainer` has a program without it. */
const lackable: readonly KernelPart[] = [
  { id: 46, name: 'bpf_get_socket_cookie', since: '4.12' },
  { id: 69, name: 'bpf_fib_lookup', since: '4.18' },
  { id: 118, name: 'bpf_jiffies64', since: '5.6', without: ktimeGetNs },
  { id: 122, name: 'bpf_get_netns_cookie', since: '5.7', without: 'branch' },
  { id: gsoSize, name: '__sk_buff.gso_size', since: '5.7', without: 'branch' },
  { id: redirectNeigh, name: 'bpf_redirect_neigh', since: '5.10', without: 'branch' },
  { id: 155, name: 'bpf_redirect_peer', since: '5.10', without: 'branch' },
];

/** The size of struct bpf_insn: byte 0 is the operation, the upper half of byte 1 the source register, bytes 4 to 7 the number. */
export const instructionSize = 8;
const [registers, immediate] = [1, 4];
/** BPF_JMP | BPF_CALL, and BPF_ALU64 | BPF_MOV | BPF_K. */
const [call, move] = [0x85, 0xb7];
/** enum kernel_part of bpf/kernel.h: the constant that a program loads into a register to ask whether the kernel has a part. */
const markOf = (id: number) => 0x5b160000 + id;

type NumberInCode = { readonly at: number; readonly id: number };

/** The helper calls of a program. Calls of its own functions and of kernel functions are left out: their source register is not 0. */
export function helperCalls(code: Buffer): NumberInCode[] {
  return numbersIn(code, (start) => code[start] === call && (code.readUInt8(start + registers) & 0xf0) === 0);
}

function numbersIn(code: Buffer, isOne: (start: number) => boolean): NumberInCode[] {
  const found: NumberInCode[] = [];
  // The second half of a 64-bit constant begins with 0, so it matches neither operation.
  for (let start = 0; start + instructionSize <= code.length; start += instructionSize) {
    const at = start + immediate;
    if (isOne(start)) found.push({ at, id: code.readInt32LE(at) });
  }
  return found;
}

/**
 * Rewrites a program for a kernel that lacks some parts.
 * @param code its instructions; not changed
 * @param has whether the kernel has a part of `lackable`; called only for parts that the program uses
 * @returns the new instructions, or null if none changed; and the used parts that are missing
 */
export function fitTo(
  code: Buffer,
  has: (part: KernelPart) => boolean,
): { readonly code: Buffer | null; readonly missing: readonly KernelPart[] } {
  const calls = helperCalls(code);
  const marks = numbersIn(code, (start) => code[start] === move);
  const isUsed = ({ id }: KernelPart) =>
    calls.some((one) => one.id === id) || marks.some((one) => one.id === markOf(id));
  const missing = lackable.filter((part) => isUsed(part) && !has(part));
  const changed = Buffer.from(code);
  for (const { id, without } of missing) {
    if (typeof without === 'number')
      for (const { at } of calls.filter((one) => one.id === id)) changed.writeInt32LE(without, at);
    if (without === 'branch')
      for (const { at } of marks.filter((one) => one.id === markOf(id))) changed.writeInt32LE(0, at);
  }
  return { code: changed.equals(code) ? null : changed, missing };
}
