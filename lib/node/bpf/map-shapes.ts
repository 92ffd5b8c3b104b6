import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '#lib/base/message-of.ts';
import { BpfError } from './bpf-error.ts';
import { type MapShape, mapShapes } from './btf.ts';
import { elfSection } from './elf-section.ts';

/** The object that comes with the package; `bpf/README.md` says how it is built. */
export const builtObject = join(import.meta.dirname, '../../../bpf/built/signalbox.bpf.o');

/** The layouts of an object's maps, by the map's name in C. @throws BpfError `missing`, `layout` */
export function readShapes(object: string): ReadonlyMap<string, MapShape> {
  let bytes: Buffer;
  try {
    bytes = readFileSync(object);
  } catch (error) {
    throw new BpfError('missing', `${object} could not be read: ${messageOf(error)}`);
  }
  const btf = elfSection(bytes, '.BTF');
  if (!btf) throw new BpfError('layout', `${object} has no BTF.`);
  return mapShapes(btf);
}
