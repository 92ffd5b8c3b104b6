import type { BpfMap } from './data-plane-maps.ts';
import { oneByOne } from './kernel-map.ts';

/** Two maps as one. Each key is in one of them; `first` is read before `second`, and a new key goes into `second`. */
export function joinedMaps<Key, Value>(first: BpfMap<Key, Value>, second: BpfMap<Key, Value>): BpfMap<Key, Value> {
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
