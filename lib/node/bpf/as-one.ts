import type { BpfMap } from './data-plane-maps.ts';
import { oneByOne } from './kernel-map.ts';

/** Two maps of which an entry is in one: read as one, `first` before `second`. A new entry goes into `second`. */
export function asOne<Key, Value>(first: BpfMap<Key, Value>, second: BpfMap<Key, Value>): BpfMap<Key, Value> {
  const set = (key: Key, value: Value) => (first.get(key) === null ? second : first).set(key, value);
  return {
    name: second.name,
    maxEntries: first.maxEntries + second.maxEntries,
    get: (key) => first.get(key) ?? second.get(key),
    set,
    setAll: (entries) => oneByOne(entries, set),
    delete(key) {
      const were = [first.delete(key), second.delete(key)];
      return were.includes(true);
    },
    *entries() {
      yield* first.entries();
      yield* second.entries();
    },
  };
}
