import { createRequire } from 'node:module';
import { BpfError } from './bpf-error.ts';

/** What a function of C is given: a buffer's bytes are its to read and write while it runs, a pointer is a bigint or null. */
export type Given = number | bigint | string | Uint8Array | null;

export type NativeFunction = (...given: readonly Given[]) => unknown;

export type NativeLibrary = {
  /** `int bpf_obj_get(const char *path)`. */
  readonly bind: (prototype: string) => NativeFunction;
  /** A copy of what lies there. */
  readonly bytesAt: (at: bigint, length: number) => Buffer;
  /** Of the last call on this thread. */
  readonly errno: () => number;
};

type Koffi = {
  readonly load: (path: string) => { readonly func: (prototype: string) => NativeFunction };
  readonly errno: () => number;
  readonly view: (at: bigint, length: number) => ArrayBuffer;
};

/**
 * Opens a shared library. The native module that calls it is loaded here and not before: only the agent of a node needs it, and no other command may
 * fail where there is no build of it for the machine.
 * @throws BpfError `missing` where the library, or the module for this machine, is not there
 */
export function openLibrary(path: string): NativeLibrary {
  try {
    const require = createRequire(import.meta.url);
    const koffi: Koffi = require('koffi');
    const library = koffi.load(path);
    return {
      bind: (prototype) => library.func(prototype),
      bytesAt: (at, length) => Buffer.from(new Uint8Array(koffi.view(at, length))),
      errno: () => koffi.errno(),
    };
  } catch (error) {
    throw new BpfError('missing', `${path} could not be opened: ${error instanceof Error ? error.message : error}`);
  }
}
