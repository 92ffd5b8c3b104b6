import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { BpfError } from './bpf-error.ts';
import type { MapShape } from './btf.ts';
import type { Libbpf } from './libbpf.ts';

/** struct bpf_map_info, with 32-bit fields: type, id, sizes of key and value, and capacity. */
const mapInfo = { size: 128, type: 0, keySize: 8, valueSize: 12, maxEntries: 16 } as const;

export type OpenedMap = { readonly fd: number; readonly maxEntries: number };

/**
 * A map that another process has pinned; null if there is none. The caller closes `fd`.
 * @throws BpfError `layout` if its type or record sizes differ from `shape`: an agent of another version has pinned it
 */
export function openPinned(
  libbpf: Libbpf,
  pins: string,
  inC: string,
  { type, key, value }: MapShape,
): OpenedMap | null {
  const pin = join(pins, inC);
  const fd = libbpf.numberUnless(['ENOENT'], 'pinned', `open ${pin}`, pin);
  if (fd === null) return null;
  try {
    const info = Buffer.alloc(mapInfo.size);
    const size = Buffer.alloc(4);
    size.writeUInt32LE(mapInfo.size);
    libbpf.number('info', `read of ${pin}`, fd, info, size);
    const had = [mapInfo.type, mapInfo.keySize, mapInfo.valueSize].map((at) => info.readUInt32LE(at));
    const wanted = [type, key.size, value.size];
    if (had.join() !== wanted.join()) {
      const words = ([kind, ofKey, ofValue]: readonly number[]) =>
        `type ${kind} with ${ofKey} and ${ofValue} bytes a record`;
      throw new BpfError(
        'layout',
        `${pin} was pinned by an agent of another version: it is ${words(had)}, and ${words(wanted)} is needed. Run \`signalbox node leave\` of that version, which hands its connections to the host. Or run \`signalbox node leave --end-connections\` of this one, which ends connections that are translated packet by packet. Then start again.`,
      );
    }
    return { fd, maxEntries: info.readUInt32LE(mapInfo.maxEntries) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
