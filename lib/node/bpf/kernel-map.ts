import type { BpfMap } from './data-plane-maps.ts';
import type { Libbpf } from './libbpf.ts';
import type { RecordCodec } from './record-codec.ts';

/** A kernel map behind its file descriptor. The caller closes `fd`. */
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
  // Batch updates exist since Linux 5.6 for hashes, since 5.13 for tries.
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

/** How many entries the kernel took. Null if it has no batch update for this map, or does not report how many it took. */
function setMany<Key, Value>(
  libbpf: Libbpf,
  fd: number,
  entries: readonly (readonly [Key, Value])[],
  keys: RecordCodec<Key>,
  values: RecordCodec<Value>,
): number | null {
  const count = Buffer.alloc(4);
  count.writeUInt32LE(entries.length);
  const [allKeys, allValues] = [keys, values].map(({ size }) => Buffer.alloc(size * entries.length)) as [
    Buffer,
    Buffer,
  ];
  let at = 0;
  for (const [key, value] of entries) {
    keys.encodeAt(allKeys, at * keys.size, key);
    values.encodeAt(allValues, at * values.size, value);
    at++;
  }
  const done = libbpf.succeeds('updateAll', fd, allKeys, allValues, count, null);
  const taken = count.readUInt32LE(0);
  // A kernel without the call leaves the count unchanged.
  return done || taken < entries.length ? taken : null;
}

/** Writes entries until the kernel refuses one. Returns how many it took. @throws BpfError if it refuses the first */
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
 * The keys of a map, one at a time, so that the reader of a large map can do other work in between. Each key is looked up before the previous one is
 * yielded, because the caller may delete that one, and from a deleted key the kernel starts again. Yields at most as many as the map holds: while
 * entries come and go, the walk might never end.
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
