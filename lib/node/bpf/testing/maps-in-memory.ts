import { BpfError } from '../bpf-error.ts';
import type { BpfMap, DataPlaneMaps } from '../data-plane-maps.ts';
import type { Flow, FlowKey } from '../data-plane-records.ts';
import { joinedMaps } from '../joined-maps.ts';
import { oneByOne } from '../kernel-map.ts';

/** A write, in the order in which it happened. */
export type Write = { readonly map: string; readonly kind: 'set' | 'delete'; readonly key: unknown };

/** The maps without a kernel, for tests of what is written and in which order. Calls `onWrite` after each write. */
export function mapsInMemory(onWrite: (write: Write) => void = () => {}): DataPlaneMaps {
  const heldFlows = mapInMemory<FlowKey, Flow>('held_flows', 393_216, onWrite);
  return {
    services: mapInMemory('services', 131_072, onWrite),
    backends: mapInMemory('backends', 524_288, onWrite),
    sourceRanges: mapInMemory('source_ranges', 65_536, onWrite),
    affinities: mapInMemory('affinities', 65_536, onWrite),
    routes: mapInMemory('routes', 262_144, onWrite),
    interfaces: mapInMemory('interfaces', 4096, onWrite),
    config: mapInMemory('config', 1, onWrite),
    flows: joinedMaps(heldFlows, mapInMemory('flows', 131_072, onWrite)),
    heldFlows,
    neighbours: mapInMemory('neighbours', 131_072, onWrite),
    nextHops: mapInMemory('next_hops', 4096, onWrite),
    socketOrigins: mapInMemory('socket_origins', 131_072, onWrite),
    streamOrigins: mapInMemory('stream_origins', 131_072, onWrite),
  };
}

function mapInMemory<Key, Value>(
  name: string,
  maxEntries: number,
  onWrite: (write: Write) => void,
): BpfMap<Key, Value> {
  const held = new Map<string, readonly [Key, Value]>();
  // Equal keys must be one key whatever the order of their fields.
  const id = (key: Key) =>
    JSON.stringify(typeof key === 'object' && key !== null ? Object.entries(key).sort() : key, (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}n` : value,
    );
  const set = (key: Key, value: Value) => {
    const isNew = !held.has(id(key));
    if (isNew && held.size >= maxEntries)
      throw new BpfError('full', `${name} holds ${maxEntries} entries and no more.`);
    held.set(id(key), [key, value]);
    onWrite({ map: name, kind: 'set', key });
  };
  return {
    name,
    maxEntries,
    get: (key) => held.get(id(key))?.[1] ?? null,
    set,
    setAll: (entries) => oneByOne(entries, set),
    delete(key) {
      const was = held.delete(id(key));
      onWrite({ map: name, kind: 'delete', key });
      return was;
    },
    entries: () => [...held.values()],
  };
}
