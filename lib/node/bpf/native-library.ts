import { createRequire } from 'node:module';
import { messageOf } from '#lib/base/message-of.ts';
import { BpfError } from './bpf-error.ts';

/** An argument of a C function. The function may read and write a buffer while it runs; a pointer is a bigint or null. */
export type NativeArgument = number | bigint | string | Uint8Array | null;

export type NativeFunction = (...args: readonly NativeArgument[]) => unknown;

export type NativeLibrary = {
  /** Binds a function by its prototype: `int bpf_obj_get(const char *path)`. */
  readonly bind: (prototype: string) => NativeFunction;
  /** A copy of the bytes at an address. */
  readonly bytesAt: (at: bigint, length: number) => Buffer;
  /** The errno of the last call on this thread. */
  readonly errno: () => number;
};

type Koffi = {
  readonly load: (path: string) => { readonly func: (prototype: string) => NativeFunction };
  readonly errno: () => number;
  readonly view: (at: bigint, length: number) => ArrayBuffer;
};

/**
 * Opens a shared library. The native module for calls to C is loaded only here: only the agent of a node needs it, and other commands must not fail
 * on machines without a build of it.
 * @throws BpfError `missing` if the library, or the module for this machine, is missing
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
    throw new BpfError('missing', `${path} could not be opened: ${messageOf(error)}`);
  }
}
