import { getSystemErrorMap } from 'node:util';
import { BpfError, type BpfErrorCode, rootRemedy } from './bpf-error.ts';
import { type NativeArgument, type NativeFunction, openLibrary } from './native-library.ts';

/** Functions of libbpf.h and bpf.h as of libbpf 1.1. Newer ones are not used. */
const prototypes = {
  versionMajor: 'uint32_t libbpf_major_version(void)',
  versionMinor: 'uint32_t libbpf_minor_version(void)',
  probeHelper: 'int libbpf_probe_bpf_helper(int type, int helper, const void *options)',
  possibleCpus: 'int libbpf_num_possible_cpus(void)',
  setPrint: 'void *libbpf_set_print(void *print)',
  openFile: 'void *bpf_object__open_file(const char *path, const void *options)',
  load: 'int bpf_object__load(void *object)',
  close: 'void bpf_object__close(void *object)',
  findMap: 'void *bpf_object__find_map_by_name(void *object, const char *name)',
  findProgram: 'void *bpf_object__find_program_by_name(void *object, const char *name)',
  mapFd: 'int bpf_map__fd(void *map)',
  maxEntries: 'uint32_t bpf_map__max_entries(void *map)',
  setMaxEntries: 'int bpf_map__set_max_entries(void *map, uint32_t count)',
  setPinPath: 'int bpf_map__set_pin_path(void *map, const char *path)',
  programFd: 'int bpf_program__fd(void *program)',
  instructions: 'void *bpf_program__insns(const void *program)',
  instructionCount: 'size_t bpf_program__insn_cnt(const void *program)',
  setInstructions: 'int bpf_program__set_insns(void *program, void *instructions, size_t count)',
  setAutoload: 'int bpf_program__set_autoload(void *program, int autoload)',
  loadProgram:
    'int bpf_prog_load(int type, const char *name, const char *license, const void *code, size_t count, void *options)',
  setLogBuffer: 'int bpf_program__set_log_buf(void *program, void *buffer, size_t size)',
  setLogLevel: 'int bpf_program__set_log_level(void *program, uint32_t level)',
  lookup: 'int bpf_map_lookup_elem(int fd, const void *key, void *value)',
  update: 'int bpf_map_update_elem(int fd, const void *key, const void *value, uint64_t flags)',
  updateAll: 'int bpf_map_update_batch(int fd, const void *keys, const void *values, void *count, const void *options)',
  remove: 'int bpf_map_delete_elem(int fd, const void *key)',
  nextKey: 'int bpf_map_get_next_key(int fd, const void *key, void *next)',
  pin: 'int bpf_obj_pin(int fd, const char *path)',
  info: 'int bpf_obj_get_info_by_fd(int fd, void *info, void *size)',
  pinned: 'int bpf_obj_get(const char *path)',
  createLink: 'int bpf_link_create(int program, int target, int type, const void *options)',
  attachProgram: 'int bpf_prog_attach(int program, int target, int type, uint32_t flags)',
  detachProgram: 'int bpf_prog_detach2(int program, int target, int type)',
  queryPrograms:
    'int bpf_prog_query(int target, int type, uint32_t flags, void *attachFlags, void *programs, void *count)',
  updateLink: 'int bpf_link_update(int link, int program, const void *options)',
  createTcHook: 'int bpf_tc_hook_create(void *hook)',
  destroyTcHook: 'int bpf_tc_hook_destroy(void *hook)',
  attachTc: 'int bpf_tc_attach(const void *hook, void *options)',
  detachTc: 'int bpf_tc_detach(const void *hook, const void *options)',
  queryTc: 'int bpf_tc_query(const void *hook, void *options)',
  testRun: 'int bpf_prog_test_run_opts(int program, void *options)',
} as const;

/** Linux's errors (asm-generic/errno.h, linux/errno.h) for which libuv has no name. */
const unknownToNode: ReadonlyMap<number, readonly [name: string, words: string]> = new Map([
  [67, ['ENOLINK', 'link has been severed']],
  [524, ['ENOTSUPP', 'operation is not supported']],
]);

type Call = keyof typeof prototypes;

export type Libbpf = {
  /** Calls a function that returns a number. @throws BpfError that continues `doing` ("write to services") with the kernel's reason */
  readonly number: (call: Call, doing: string, ...args: readonly NativeArgument[]) => number;
  /** As `number`, but returns null for an error of these names (`ENOENT`). */
  readonly numberUnless: (
    errors: readonly string[],
    call: Call,
    doing: string,
    ...args: readonly NativeArgument[]
  ) => number | null;
  /** Whether the call succeeds; the reason of a failure is dropped. */
  readonly succeeds: (call: Call, ...args: readonly NativeArgument[]) => boolean;
  /** Calls a function that returns a pointer. @throws BpfError if that is NULL */
  readonly pointer: (call: Call, doing: string, ...args: readonly NativeArgument[]) => Pointer;
  readonly nothing: (call: Call, ...args: readonly NativeArgument[]) => void;
  /** A copy of the bytes at an address. */
  readonly bytesAt: (at: Pointer, length: number) => Buffer;
};

/** The address of an object of libbpf. */
export type Pointer = bigint;

const oldest = { major: 1, minor: 1 } as const;

const remedy = `Install libbpf ${oldest.major}.${oldest.minor} or later.`;

function withRemedy<Value>(open: () => Value): Value {
  try {
    return open();
  } catch (error) {
    throw error instanceof BpfError
      ? new BpfError(error.code, `${error.message.replace(/\.?$/, '.')} ${remedy}`)
      : error;
  }
}

/**
 * Opens this machine's libbpf. Version 1.1 suffices because the objects have no `.rodata`, which 1.1 cannot create before Linux 5.5.
 * @throws BpfError `missing`
 */
export function openLibbpf(path = 'libbpf.so.1'): Libbpf {
  const library = withRemedy(() => openLibrary(path));
  const bound = Object.fromEntries(
    Object.entries(prototypes).map(([name, prototype]) => [name, library.bind(prototype)]),
  ) as Readonly<Record<Call, NativeFunction>>;
  const [major, minor] = [Number(bound.versionMajor()), Number(bound.versionMinor())];
  if (major < oldest.major || (major === oldest.major && minor < oldest.minor))
    throw new BpfError('missing', `${path} is libbpf ${major}.${minor}. ${remedy}`);
  // Its messages are also in the verifier's log and in the errors.
  bound.setPrint(null);

  const failed = (doing: string, errno: number) => {
    const [name, words] = getSystemErrorMap().get(-errno) ?? unknownToNode.get(errno) ?? [`errno ${errno}`, 'unknown'];
    const code: BpfErrorCode = name === 'E2BIG' || name === 'ENOSPC' ? 'full' : 'refused';
    return {
      name,
      error: new BpfError(
        code,
        `The kernel refused to ${doing}: ${words} (${name}).${name === 'EPERM' ? rootRemedy() : ''}`,
      ),
    };
  };
  const numberUnless: Libbpf['numberUnless'] = (errors, call, doing, ...args) => {
    const result = Number(bound[call](...args));
    if (result >= 0) return result;
    const { name, error } = failed(doing, result === -1 ? library.errno() : -result);
    if (errors.includes(name)) return null;
    throw error;
  };
  return {
    numberUnless,
    number(call, doing, ...args) {
      const result = numberUnless([], call, doing, ...args);
      return result ?? 0;
    },
    succeeds: (call, ...args) => Number(bound[call](...args)) >= 0,
    pointer(call, doing, ...args) {
      const result = bound[call](...args);
      if (typeof result === 'bigint' && result !== 0n) return result;
      throw failed(doing, library.errno()).error;
    },
    nothing(call, ...args) {
      bound[call](...args);
    },
    bytesAt: library.bytesAt,
  };
}
