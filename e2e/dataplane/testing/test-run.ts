import { type DataPlane, openLibrary } from '#lib/node/bpf/index.ts';

export type ProgramResult = {
  /** What the program returned, of `verdicts` here. */
  readonly verdict: number;
  /** The frame as the program left it. */
  readonly frame: Buffer;
};

/** Of linux/pkt_cls.h. */
export const verdicts = { leave: 0xffff_ffff, drop: 2, redirect: 7 } as const;

/** Of struct bpf_test_run_opts (libbpf 1.1) and struct __sk_buff: sizes and offsets. */
const options = {
  size: 80,
  dataIn: 8,
  dataOut: 16,
  lengthIn: 24,
  lengthOut: 28,
  context: 32,
  contextSize: 48,
  verdict: 56,
  flags: 68,
};
/** BPF_F_TEST_SKB_CHECKSUM_COMPLETE of linux/bpf.h. */
const cardHasSummed = 4;
const context = { size: 192, ifindex: 40 } as const;
const longest = 4096;

/** What a program sees of a packet besides its bytes (struct __sk_buff): the interface by which it came. */
export function contextOf(ifindex: number): Buffer {
  const given = Buffer.alloc(context.size);
  given.writeUInt32LE(ifindex, context.ifindex);
  return given;
}

/**
 * Runs a program of interfaces on frames as if they came in by an interface of this thread's network namespace (BPF_PROG_TEST_RUN): what it redirects goes
 * nowhere, maps are written as ever.
 */
export function testRunner({ libbpf, programs }: DataPlane, program: 'incoming' | 'outgoing') {
  const libc = openLibrary('libc.so.6');
  const [allocate, free] = [libc.bind('void *malloc(size_t size)'), libc.bind('void free(void *at)')];
  const [write, read] = [
    libc.bind('void *memcpy(void *to, const uint8_t *from, size_t length)'),
    libc.bind('void *memmove(uint8_t *to, const void *from, size_t length)'),
  ];
  const [dataIn, dataOut, about] = [longest, longest, context.size].map((size) => allocate(size) as bigint);
  if (dataIn === undefined || dataOut === undefined || about === undefined) throw new Error('no memory');
  return {
    /**
     * `sum`: `of the card` gives the packet a sum of all its bytes, as some network cards do (CHECKSUM_COMPLETE, since Linux 6.16). The kernel then
     * refuses with EBADMSG if the program's changes do not leave that sum right.
     */
    run(frame: Buffer, ifindex: number, sum: 'none' | 'of the card' = 'none'): ProgramResult {
      write(about, contextOf(ifindex), context.size);
      write(dataIn, frame, frame.length);
      const asked = Buffer.alloc(options.size);
      asked.writeBigUInt64LE(BigInt(options.size), 0);
      asked.writeBigUInt64LE(dataIn, options.dataIn);
      asked.writeBigUInt64LE(dataOut, options.dataOut);
      asked.writeUInt32LE(frame.length, options.lengthIn);
      asked.writeUInt32LE(longest, options.lengthOut);
      asked.writeBigUInt64LE(about, options.context);
      asked.writeUInt32LE(context.size, options.contextSize);
      asked.writeUInt32LE(sum === 'of the card' ? cardHasSummed : 0, options.flags);
      libbpf.number('testRun', `run ${program}`, programs[program], asked);
      const left = Buffer.alloc(asked.readUInt32LE(options.lengthOut));
      read(left, dataOut, left.length);
      return { verdict: asked.readUInt32LE(options.verdict), frame: left };
    },
    close() {
      for (const one of [dataIn, dataOut, about]) free(one);
    },
  };
}
