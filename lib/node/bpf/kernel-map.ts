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
    *entries() {
      for (const key of keysOf(libbpf, { name, fd, maxEntries }, keys.size)) {
        const value = find(key);
        if (value !== null) yield [keys.decode(key), value];
      }
    },
  };
}

/**
 * One after the other, as they are asked for: whoever goes through a large map may do other things in between. Each is looked up before the one in front of it is
 * given out, which may be deleted then: from a key that is gone the kernel starts anew. At most as many as fit, since under churn the walk might never end.
 */
function* keysOf(
  libbpf: Libbpf,
  { name, fd, maxEntries }: { readonly name: string; readonly fd: number; readonly maxEntries: number },
  size: number,
): Generator<Uint8Array> {
  const after = (key: Uint8Array | null) => {
    const next = Buffer.alloc(size);
    return libbpf.numberUnless(['ENOENT'], 'nextKey', `list ${name}`, fd, key, next) === null ? null : next;
  };
  let key = after(null);
  for (let given = 0; key !== null && given < maxEntries; given++) {
    const next = after(key);
    yield key;
    key = next;
  }
}
