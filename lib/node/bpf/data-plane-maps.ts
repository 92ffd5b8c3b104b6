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

/**
 * One map. Each call makes one or more system calls on this thread, of 1 to 3 µs each (`setAll`: 0.4 µs an entry), and throws a `BpfError` if the
 * kernel refuses.
 */
export interface BpfMap<Key, Value> {
  readonly name: string;
  /** The capacity. A `set` of a further key fails with the code `full`. */
  readonly maxEntries: number;
  get(key: Key): Value | null;
  set(key: Key, value: Value): void;
  /**
   * Writes the entries in this order, by one system call where the kernel can. Returns how many were written: all, or those before the first that the
   * kernel refused. Throws if that is the first of all.
   */
  setAll(entries: readonly (readonly [Key, Value])[]): number;
  /** False if there was no such entry. */
  delete(key: Key): boolean;
  /**
   * The present entries. This is no snapshot: entries that are written meanwhile may be missing. Deleting the entry that was yielded last is safe.
   */
  entries(): Iterable<readonly [Key, Value]>;
}

/** The maps that the agent writes, and the flows that it reads. The kernel's side of each is in the header of the same name in `bpf/`. */
export interface DataPlaneMaps {
  readonly services: BpfMap<ServiceKey, Service>;
  readonly backends: BpfMap<BackendKey, Backend>;
  readonly sourceRanges: BpfMap<SourceRangeKey, number>;
  readonly affinities: BpfMap<AffinityKey, Affinity>;
  readonly routes: BpfMap<RouteKey, Route>;
  /** Keyed by ifindex. */
  readonly interfaces: BpfMap<number, Interface>;
  /** Has one entry, with the key 0. */
  readonly config: BpfMap<number, Config>;
  /** Both tables of flows (bpf/conntrack.h) as one: those of `heldFlows`, then those that began in the table from which the kernel drops the oldest. */
  readonly flows: BpfMap<FlowKey, Flow>;
  /** The flows that the kernel drops only when they are deleted. */
  readonly heldFlows: BpfMap<FlowKey, Flow>;
  /** Connections between pods of this node whose packets are not translated. */
  readonly neighbours: BpfMap<FlowKey, Neighbours>;
  /** Next hops that packets were sent to, or could not be sent to, on a kernel without bpf_redirect_neigh. */
  readonly nextHops: BpfMap<NextHop, NextHopUse>;
  /** The Service behind each socket's backend, for datagrams. */
  readonly socketOrigins: BpfMap<SocketOriginKey, SocketOrigin>;
  /** The Service behind each TCP socket's backend. An array, initially zeros, whose index is computed from the socket's cookie. */
  readonly streamOrigins: BpfMap<number, StreamOrigin>;
}
