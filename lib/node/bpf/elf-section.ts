import { BpfError } from './bpf-error.ts';

/** The bytes of a named section of a little-endian ELF64 object of BPF programs (elf.h); null if it has no such section. @throws BpfError `layout` */
export function elfSection(object: Uint8Array, wanted: string): Uint8Array | null {
  const view = new DataView(object.buffer, object.byteOffset, object.byteLength);
  try {
    const isBpf = view.getUint32(0) === 0x7f454c46 && view.getUint16(4) === 0x0201 && view.getUint16(18, true) === 247;
    if (!isBpf) throw new BpfError('layout', 'The object is not an ELF file of BPF programs.');
    const table = Number(view.getBigUint64(40, true));
    const header = (index: number) => table + index * view.getUint16(58, true);
    const part = (index: number) => {
      const start = Number(view.getBigUint64(header(index) + 24, true));
      return object.subarray(start, start + Number(view.getBigUint64(header(index) + 32, true)));
    };
    const names = part(view.getUint16(62, true));
    for (let index = 0; index < view.getUint16(60, true); index++)
      if (textAt(names, view.getUint32(header(index), true)) === wanted) return part(index);
    return null;
  } catch (error) {
    if (error instanceof RangeError) throw new BpfError('layout', 'The object ends before its sections do.');
    throw error;
  }
}

/** The text up to the next NUL. */
export function textAt(bytes: Uint8Array, start: number): string {
  const end = bytes.indexOf(0, start);
  return Buffer.from(bytes.subarray(start, end === -1 ? undefined : end)).toString('latin1');
}
