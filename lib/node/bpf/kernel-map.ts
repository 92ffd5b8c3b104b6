import type { BpfMap } from './data-plane-maps.ts';
import type { Libbpf } from './libbpf.ts';
import type { RecordCodec } from './record-codec.ts';

/** A map of the kernel by its file descriptor. */
export function kernelMap<Key, Value>(
  libbpf: Libbpf,
  { name, fd, maxEntries }: { readonly name: string; readonly fd: number; readonly maxEntries: number },
  keys: RecordCodec<Key>,
  values: RecordCodec<Value>,
): BpfMap<Key, Value> {
  const find = (key: Uint8Array) => {
    const value = Buffer.alloc(values.size);
    const found = libbpf.numberUnless(['ENOENT'], 'lookup', `read ${name}`, fd, key, value);
    return found === null ? null : values.decode(value);
  };
  return {
    name,
    maxEntries,
    get: (key) => find(keys.encode(key)),
    set(key, value) {
      libbpf.number('update', `write to ${name}`, fd, keys.encode(key), values.encode(value), 0);
    },
    delete(key) {
      return libbpf.numberUnless(['ENOENT'], 'remove', `delete of ${name}`, fd, keys.encode(key)) !== null;
    },
    // Keys first: from a key that was deleted meanwhile the kernel starts anew.
    *entries() {
      for (const key of keysOf(libbpf, { name, fd, maxEntries }, keys.size)) {
        const value = find(key);
        if (value !== null) yield [keys.decode(key), value];
      }
    },
  };
}

/** At most as many as fit: under churn the walk may never end. */
function keysOf(
  libbpf: Libbpf,
  { name, fd, maxEntries }: { readonly name: string; readonly fd: number; readonly maxEntries: number },
  size: number,
): readonly Uint8Array[] {
  const found: Uint8Array[] = [];
  let last: Uint8Array | null = null;
  while (found.length < maxEntries) {
    const next = Buffer.alloc(size);
    if (libbpf.numberUnless(['ENOENT'], 'nextKey', `list ${name}`, fd, last, next) === null) break;
    found.push(next);
    last = next;
  }
  return found;
}
