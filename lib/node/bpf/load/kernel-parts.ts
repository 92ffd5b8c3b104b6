/** What the programs use and a kernel may lack: a helper, or a field of what they are given. */
export type KernelPart = {
  /** A helper's number in enum bpf_func_id of linux/bpf.h; of a field, a number that no helper has. */
  readonly id: number;
  readonly name: string;
  /** The first Linux that lends it to programs of this kind; others have it by a backport, so that the kernel is asked. */
  readonly since: string;
  /**
   * What is done without it. A number: that helper is called in its place, takes the same arguments, and what it returns does as well. `branch`: the programs
   * have another way (`HAS` of bpf/kernel.h). Left out: nothing does.
   */
  readonly without?: number | 'branch';
};

/** BPF_FUNC_ktime_get_ns: no two looks are of one tick then, so that bpf/clock.h reads the clock at each, and has it exact. */
const ktimeGetNs = 5;

/** A field of struct __sk_buff, and no helper. */
export const gsoSize = 0x1000;

/** What each is of was read in Linux's history (2026-11-27). bpf_set_retval is not here: `plainer` has a program without it. */
const lackable: readonly KernelPart[] = [
  { id: 46, name: 'bpf_get_socket_cookie', since: '4.12' },
  { id: 69, name: 'bpf_fib_lookup', since: '4.18' },
  { id: 118, name: 'bpf_jiffies64', since: '5.6', without: ktimeGetNs },
  { id: 122, name: 'bpf_get_netns_cookie', since: '5.7', without: 'branch' },
  { id: gsoSize, name: '__sk_buff.gso_size', since: '5.7', without: 'branch' },
  { id: 152, name: 'bpf_redirect_neigh', since: '5.10', without: 'branch' },
  { id: 155, name: 'bpf_redirect_peer', since: '5.10', without: 'branch' },
];

/** Bytes of struct bpf_insn: the first says what it does, the second in its upper half what is called, and the last four which. */
export const instructionSize = 8;
const [registers, immediate] = [1, 4];
/** BPF_JMP | BPF_CALL, and BPF_ALU64 | BPF_MOV | BPF_K. */
const [call, move] = [0x85, 0xb7];
/** enum kernel_part of bpf/kernel.h: what a program gives a register where it asks whether the kernel has a part. */
const markOf = (id: number) => 0x5b160000 + id;

type Place = { readonly at: number; readonly id: number };

/** Where a program calls a helper: the number's place in bytes, and the number. Calls of the program's own functions and of the kernel's say so in their source register. */
export function helperCalls(code: Buffer): Place[] {
  return numbersIn(code, (start) => code[start] === call && (code.readUInt8(start + registers) & 0xf0) === 0);
}

function numbersIn(code: Buffer, isOne: (start: number) => boolean): Place[] {
  const places: Place[] = [];
  // The second half of a constant of 64 bits has a first byte of 0.
  for (let start = 0; start + instructionSize <= code.length; start += instructionSize) {
    const at = start + immediate;
    if (isOne(start)) places.push({ at, id: code.readInt32LE(at) });
  }
  return places;
}

/**
 * A program as a kernel takes it that lacks some parts.
 * @param code its instructions, which stay as they are
 * @param has whether the kernel has a part of `lackable`; asked of those alone that the program uses
 * @returns the instructions, null where none has to be another; and what is missing of what it uses
 */
export function fitTo(
  code: Buffer,
  has: (part: KernelPart) => boolean,
): { readonly code: Buffer | null; readonly missing: readonly KernelPart[] } {
  const calls = helperCalls(code);
  const asked = numbersIn(code, (start) => code[start] === move);
  const isUsed = ({ id }: KernelPart) =>
    calls.some((one) => one.id === id) || asked.some((one) => one.id === markOf(id));
  const missing = lackable.filter((part) => isUsed(part) && !has(part));
  const changed = Buffer.from(code);
  for (const { id, without } of missing) {
    if (typeof without === 'number')
      for (const { at } of calls.filter((one) => one.id === id)) changed.writeInt32LE(without, at);
    if (without === 'branch')
      for (const { at } of asked.filter((one) => one.id === markOf(id))) changed.writeInt32LE(0, at);
  }
  return { code: changed.equals(code) ? null : changed, missing };
}
