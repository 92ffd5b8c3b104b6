/** A helper that the programs call and a kernel may lack. */
export type Helper = {
  /** Of enum bpf_func_id in linux/bpf.h. */
  readonly id: number;
  readonly name: string;
  /** The first Linux that lends it to programs of this kind; others have it by a backport, so that the kernel is asked. */
  readonly since: string;
  /** The helper that is called in its place: it takes the same arguments, and what it returns does as well. Left out: none does. */
  readonly standIn?: number;
};

/** BPF_FUNC_ktime_get_ns: no two looks are of one tick then, so that bpf/clock.h reads the clock at each, and has it exact. */
const ktimeGetNs = 5;

/** What each is of was read in Linux's history (2026-11-27). bpf_set_retval is not here: `plainer` has a program without it. */
const lackable: readonly Helper[] = [
  { id: 118, name: 'bpf_jiffies64', since: '5.6', standIn: ktimeGetNs },
  { id: 122, name: 'bpf_get_netns_cookie', since: '5.7' },
  { id: 152, name: 'bpf_redirect_neigh', since: '5.10' },
  { id: 155, name: 'bpf_redirect_peer', since: '5.10' },
];

/** Bytes of struct bpf_insn: the first says what it does, the second in its upper half what is called, and the last four which. */
export const instructionSize = 8;
const [registers, immediate] = [1, 4];
/** BPF_JMP | BPF_CALL. */
const call = 0x85;

/** Where a program calls a helper: the number's place in bytes, and the number. Calls of the program's own functions and of the kernel's say so in their source register. */
export function helperCalls(code: Buffer): { readonly at: number; readonly id: number }[] {
  const calls: { at: number; id: number }[] = [];
  // The second half of a constant of 64 bits has a first byte of 0.
  for (let start = 0; start + instructionSize <= code.length; start += instructionSize) {
    if (code[start] !== call || (code.readUInt8(start + registers) & 0xf0) !== 0) continue;
    const at = start + immediate;
    calls.push({ at, id: code.readInt32LE(at) });
  }
  return calls;
}

/**
 * A program as a kernel takes it that lacks some helpers.
 * @param code its instructions, which stay as they are
 * @param has whether the kernel has a helper of `lackable`; asked of those alone that the program calls
 * @returns the instructions, null where none has to be another; and what is lacking that nothing stands in for
 */
export function withStandIns(
  code: Buffer,
  has: (helper: Helper) => boolean,
): { readonly code: Buffer | null; readonly lacking: readonly Helper[] } {
  const calls = helperCalls(code);
  const missing = lackable.filter((helper) => calls.some(({ id }) => id === helper.id) && !has(helper));
  const changed = Buffer.from(code);
  let isChanged = false;
  for (const { at, id } of calls) {
    const standIn = missing.find((helper) => helper.id === id)?.standIn;
    if (standIn === undefined) continue;
    changed.writeInt32LE(standIn, at);
    isChanged = true;
  }
  return { code: isChanged ? changed : null, lacking: missing.filter(({ standIn }) => standIn === undefined) };
}
