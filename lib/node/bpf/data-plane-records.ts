/**
 * What stands in the maps of the programs (`bpf/*.h`), as the agent says it: names are those of the C fields in camel case, addresses are text (IPv4 as
 * such, `::` for none), ports and counts are numbers, 64-bit fields bigint. Padding is no field, and always written as zero.
 */

/** `0.0.0.0` and `::` with a port: a NodePort of that family on each address of `routes` that takes node ports. */
export type ServiceKey = { readonly address: string; readonly port: number; readonly protocol: number };

export type Service = {
  /** Never used again while the agent lives. */
  readonly id: number;
  readonly clusterBackends: number;
  readonly localBackends: number;
  /** Of `serviceFlags`. */
  readonly flags: number;
  /** Seconds; 0 without `affinity`. */
  readonly affinityS: number;
};

/** Slots are 0 … count - 1 without a hole, in each of `backendLists`. */
export type BackendKey = { readonly service: number; readonly slot: number; readonly list: number };

export type Backend = {
  readonly address: string;
  /** The address of its node, where tunnels to it end; `::` where it is not known. */
  readonly node: string;
  readonly port: number;
  /** Of `backendFlags`. */
  readonly flags: number;
};

/** `prefix`: 32 bits of the service's number, then the range's in 128 bits: for 10.0.0.0/8 that is 32 + 96 + 8. */
export type SourceRangeKey = { readonly prefix: number; readonly service: number; readonly address: string };

export type AffinityKey = { readonly client: string; readonly service: number };
export type Affinity = {
  readonly backend: string;
  /** As of the backend itself; `::` where a socket was given it. */
  readonly node: string;
  readonly port: number;
  readonly lastNs: bigint;
};

/** `prefix` in 128 bits: 96 + 8 for 10.0.0.0/8. */
export type RouteKey = { readonly prefix: number; readonly address: string };

export type Route = {
  /** Of `routeFlags`. */
  readonly flags: number;
  /** Of a local pod, else 0. */
  readonly ifindex: number;
  /** The node of a remote pod, else `::`. */
  readonly node: string;
  /** Of a local pod: its place among policies; 0 until there are some. */
  readonly endpoint: number;
};

export type Interface = {
  /** Of `interfaceKinds`. */
  readonly kind: number;
  readonly mtu: number;
  /** Its row in `statistics`, 1 … 255; rows may be shared. */
  readonly statistics: number;
  readonly policyIn: number;
  readonly policyOut: number;
  readonly hostPolicyIn: number;
  readonly hostPolicyOut: number;
  readonly hostV4: string;
  readonly hostV6: string;
  /** `02:00:00:00:00:01`. */
  readonly podMac: string;
  readonly hostMac: string;
  readonly flags: number;
};

export type Config = {
  /** Of `configFlags`. */
  readonly flags: number;
  readonly vni: number;
  readonly tunnelPort: number;
  readonly tunnelMtu: number;
  readonly nodeV4: string;
  readonly nodeV6: string;
};

export type FlowKey = {
  readonly a: string;
  readonly b: string;
  readonly aPort: number;
  readonly bPort: number;
  readonly protocol: number;
};

/** The pairs are by direction: from the opener, and back. */
export type Flow = {
  readonly lastNs: bigint;
  readonly createdNs: bigint;
  readonly packets: readonly bigint[];
  readonly bytes: readonly bigint[];
  readonly rule: readonly number[];
  readonly ifindex: readonly number[];
  readonly client: string;
  readonly service: string;
  readonly backend: string;
  readonly peerNode: string;
  readonly clientPort: number;
  readonly servicePort: number;
  readonly backendPort: number;
  readonly snatPort: number;
  readonly serviceId: number;
  readonly flags: number;
  readonly type: number;
  readonly tcp: readonly number[];
};

/** `ifindex` and `tcp` (of `tcpSeen`) are of the key's `a`, then of its `b`; the others say which acknowledgement ends it (bpf/neighbour.h). */
export type Neighbours = {
  readonly lastNs: bigint;
  readonly ifindex: readonly number[];
  readonly tcp: readonly number[];
  readonly endOf: number;
  readonly isLast: number;
  readonly end: number;
};

/** `ifindex` 0: it was not found, and the address is where the packet was to go. */
export type NextHop = { readonly address: string; readonly ifindex: number };
export type NextHopUse = { readonly lastNs: bigint };

export type SocketOriginKey = {
  readonly cookie: bigint;
  readonly backend: string;
  readonly port: number;
  readonly protocol: number;
};
export type SocketOrigin = { readonly service: string; readonly port: number; readonly serviceId: number };
export type StreamOrigin = {
  /** Of the socket whose place it is; 0 of none. */
  readonly cookie: bigint;
  readonly backend: string;
  readonly service: string;
  readonly backendPort: number;
  readonly servicePort: number;
};
