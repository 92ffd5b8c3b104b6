import type { Counts } from '../bpf/index.ts';
import { statisticsRows } from '../host/packet-devices.ts';

/** Counts by network interface. All pods together are `pods`; `host` is what has no interface: sockets, and packets that the host's stack sends. */
export type PacketCounts = Readonly<Record<string, Counts>>;

/** The counts by name. `rows`: the row of `statistics` of each network interface. `countsOf`: reads rows of the map. */
export function packetCounts(
  rows: ReadonlyMap<string, number>,
  countsOf: (rows: readonly number[]) => ReadonlyMap<number, Counts>,
): PacketCounts {
  const all = [['host', statisticsRows.host] as const, ['pods', statisticsRows.pods] as const, ...rows];
  const counts = countsOf(all.map(([, row]) => row));
  return Object.fromEntries(all.map(([name, row]) => [name, counts.get(row) ?? {}]));
}
