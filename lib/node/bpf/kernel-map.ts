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
  const set = (key: Key, value: Value) => {
    libbpf.number('update', `write to ${name}`, fd, keys.encode(key), values.encode(value), 0);
  };
  // Hashes take many at once since Linux 5.6, tries since 5.13.
  let takesMany = true;
  return {
    name,
    maxEntries,
    get: (key) => find(keys.encode(key)),
    set,
    setAll(entries) {
      if (takesMany && entries.length > 1) {
        const taken = setMany(libbpf, fd, entries, keys, values);
        takesMany = taken !== null;
        if (taken !== null && taken > 0) return taken;
      }
      return oneByOne(entries, set);
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

/** How many the kernel took; null: it knows no such call for this map, or says nothing of how far it came. */
function setMany<Key, Value>(
  libbpf: Libbpf,
  fd: number,
  entries: readonly (readonly [Key, Value])[],
  keys: RecordCodec<Key>,
  values: RecordCodec<Value>,
): number | null {
  const count = Buffer.alloc(4);
  count.writeUInt32LE(entries.length);
  const allKeys = keys.encodeAll(entries.map(([key]) => key));
  const allValues = values.encodeAll(entries.map(([, value]) => value));
  const done = libbpf.succeeds('updateAll', fd, allKeys, allValues, count, null);
  const taken = count.readUInt32LE(0);
  // Whoever does not know it leaves the count as it was.
  return done || taken < entries.length ? taken : null;
}

/** As far as the kernel takes them. @throws BpfError where it does not take the first one */
export function oneByOne<Key, Value>(
  entries: readonly (readonly [Key, Value])[],
  set: (key: Key, value: Value) => void,
): number {
  let taken = 0;
  try {
    for (const [key, value] of entries) {
      set(key, value);
      taken++;
    }
  } catch (error) {
    if (taken === 0) throw error;
  }
  return taken;
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
