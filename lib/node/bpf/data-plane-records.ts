/**
 * The records of the programs' maps (`bpf/*.h`) as the agent writes and reads them. Names are those of the C fields in camel case; addresses are text
 * (IPv4 dotted, `::` for none), ports and counts are numbers, 64-bit fields bigint. Padding has no field and is always written as zero.
 */

/** `0.0.0.0` or `::` with a port is a NodePort of that family, at every address of `routes` with the flag for node ports. */
export type ServiceKey = { readonly address: string; readonly port: number; readonly protocol: number };

export type Service = {
  /** Never reused while the agent runs. */
  readonly id: number;
  readonly clusterBackends: number;
  readonly localBackends: number;
  /** A bit mask of `serviceFlags`. */
  readonly flags: number;
  /** Seconds; 0 without `affinity`. */
  readonly affinityS: number;
};

/** Slots are numbered 0 … count - 1 without gaps, in each list of `backendLists`. */
export type BackendKey = { readonly service: number; readonly slot: number; readonly list: number };

export type Backend = {
  readonly address: string;
  /** The address of its node, to which tunnels lead; `::` if it is unknown. */
  readonly node: string;
  readonly port: number;
  /** A bit mask of `backendFlags`. */
  readonly flags: number;
};

/** `prefix` counts 32 bits of the Service's number, then those of the range in its 128-bit form: 32 + 96 + 8 for 10.0.0.0/8. */
export type SourceRangeKey = { readonly prefix: number; readonly service: number; readonly address: string };

export type AffinityKey = { readonly client: string; readonly service: number };
export type Affinity = {
  readonly backend: string;
  /** As of the backend. */
  readonly node: string;
  readonly port: number;
  readonly lastNs: bigint;
};

/** `prefix` counts bits of the 128-bit form: 96 + 8 for 10.0.0.0/8. */
export type RouteKey = { readonly prefix: number; readonly address: string };

export type Route = {
  /** A bit mask of `routeFlags`. */
  readonly flags: number;
  /** The interface of a local pod; otherwise 0. */
  readonly ifindex: number;
  /** The node of a remote pod; otherwise `::`. */
  readonly node: string;
  /** A local pod's index for policies; 0 as long as there are none. */
  readonly endpoint: number;
};

export type Interface = {
  /** One of `interfaceKinds`. */
  readonly kind: number;
  readonly mtu: number;
  /** Its row in `statistics`, 1 … 255. Interfaces may share a row. */
  readonly statistics: number;
  readonly policyIn: number;
  readonly policyOut: number;
  readonly hostPolicyIn: number;
  readonly hostPolicyOut: number;
  readonly hostV4: string;
  readonly hostV6: string;
  /** Such as `02:00:00:00:00:01`. */
  readonly podMac: string;
  readonly hostMac: string;
  readonly flags: number;
};

export type Config = {
  /** A bit mask of `configFlags`. */
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

/** Pairs hold a value for each direction: from the opener, then back. */
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
  /** The upper halves of the numbers that were acknowledged last; 0 where nobody knows. */
  readonly acknowledged: readonly number[];
};

/**
 * `ifindex` and `tcp` (of `tcpSeen`) hold a value for the key's `a`, then for its `b`. The other fields say which acknowledgement ends the connection
 * (bpf/neighbour.h).
 */
export type Neighbours = {
  readonly lastNs: bigint;
  readonly ifindex: readonly number[];
  readonly tcp: readonly number[];
  readonly endOf: number;
  readonly isLast: number;
  readonly end: number;
};

/** `ifindex` 0: no next hop was found, and the address is the packet's destination. */
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
  /** The socket to which the entry belongs; 0 if it is empty. */
  readonly cookie: bigint;
  readonly backend: string;
  readonly service: string;
  readonly backendPort: number;
  readonly servicePort: number;
};
