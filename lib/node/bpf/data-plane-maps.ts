import type {
  Affinity,
  AffinityKey,
  Backend,
  BackendKey,
  Config,
  Flow,
  FlowKey,
  Interface,
  Neighbours,
  NextHop,
  NextHopUse,
  Route,
  RouteKey,
  Service,
  ServiceKey,
  SocketOrigin,
  SocketOriginKey,
  SourceRangeKey,
  StreamOrigin,
} from './data-plane-records.ts';

/** One map. Every call is one or more system calls on this thread, 1 to 3 µs each (`setAll`: 0.4 µs an entry); each throws a `BpfError` for what the kernel refuses. */
export interface BpfMap<Key, Value> {
  readonly name: string;
  /** More cannot be in it; a `set` beyond fails with the code `full`. */
  readonly maxEntries: number;
  get(key: Key): Value | null;
  set(key: Key, value: Value): void;
  /** Writes in this order, in one system call where the kernel can. Returns how many stand: all, or those before one that the kernel refuses. Throws where that is the first. */
  setAll(entries: readonly (readonly [Key, Value])[]): number;
  /** false where there was none. */
  delete(key: Key): boolean;
  /** What stands in it now. Not a snapshot: what is written meanwhile may be seen or not. Deleting what was just given is safe. */
  entries(): Iterable<readonly [Key, Value]>;
}

/** What the agent writes, and what it reads of flows. The kernel's half of each is in the header of `bpf/` that is named like it. */
export interface DataPlaneMaps {
  readonly services: BpfMap<ServiceKey, Service>;
  readonly backends: BpfMap<BackendKey, Backend>;
  readonly sourceRanges: BpfMap<SourceRangeKey, number>;
  readonly affinities: BpfMap<AffinityKey, Affinity>;
  readonly routes: BpfMap<RouteKey, Route>;
  /** By ifindex. */
  readonly interfaces: BpfMap<number, Interface>;
  /** One entry, under 0. */
  readonly config: BpfMap<number, Config>;
  readonly flows: BpfMap<FlowKey, Flow>;
  /** Connections between pods of this node of which no packet is translated. */
  readonly neighbours: BpfMap<FlowKey, Neighbours>;
  /** What packets were sent to, or could not be, on a kernel without bpf_redirect_neigh. */
  readonly nextHops: BpfMap<NextHop, NextHopUse>;
  /** Of sockets of datagrams. */
  readonly socketOrigins: BpfMap<SocketOriginKey, SocketOrigin>;
  /** Of connections, by a place that their sockets' cookies give them: an array, full of zeros. */
  readonly streamOrigins: BpfMap<number, StreamOrigin>;
}
