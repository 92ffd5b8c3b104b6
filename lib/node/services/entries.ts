import type { MapAddress } from './map-address.ts';

/** The protocols that the data plane translates. SCTP is not among them; `serviceEntries` reports each such port as a problem. */
export const protocols = ['TCP', 'UDP'] as const;
export type Protocol = (typeof protocols)[number];

/**
 * A backend in one slot of a list. `node` is its node's address, by which nodes reach each other, or `noAddress` if unknown (an endpoint outside the
 * cluster). `isLocal`: it runs on this node. `isHost`: it has its node's own address.
 */
export type Backend = {
  readonly address: MapAddress;
  readonly port: number;
  readonly node: MapAddress;
  readonly isLocal: boolean;
  readonly isHost: boolean;
};

/**
 * The lists of a Service's port (`enum backend_list` of bpf/service.h). `cluster`: all backends that readiness and hints leave. `local`: those of
 * this node regardless of hints, because another node may have chosen one of them by its own hints and sent the packet here through its tunnel.
 */
export const listKinds = ['cluster', 'local'] as const;
export type ListKind = (typeof listKinds)[number];
export type Lists = Readonly<Record<ListKind, readonly Backend[]>>;

/** The kinds of fronts, the strongest claim first: a Service's author must not be able to take an address of another Service (CVE-2020-8554). */
export const frontKinds = ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalIP'] as const;
type FrontKind = (typeof frontKinds)[number];

export type FrontFlag = 'inside-local' | 'outside-local' | 'source-ranges' | 'affinity' | 'node-port';

/** An address and port at which a Service answers. */
export type Front = {
  readonly kind: FrontKind;
  readonly address: MapAddress;
  readonly port: number;
  readonly protocol: Protocol;
  readonly flags: readonly FrontFlag[];
};

/** A range of client addresses: its first address, and the length of its prefix in 128 bits. */
export type ClientRange = { readonly address: MapAddress; readonly bits: number };

/** One port of a Service in one address family. `affinityS` in seconds; 0 without session affinity. */
export type PortEntries = {
  readonly key: string;
  readonly affinityS: number;
  readonly lists: Lists;
  readonly fronts: readonly Front[];
  readonly ranges: readonly ClientRange[];
};

/** A part of a Service that is not served, as a sentence for its owner. */
export type ServiceProblem = {
  readonly code: 'sctp' | 'protocol' | 'address' | 'range' | 'port' | 'taken' | 'full';
  readonly text: string;
};

export type ServiceEntries = {
  readonly ports: readonly PortEntries[];
  readonly problems: readonly ServiceProblem[];
  /** The port at which load balancers probe this node, and the number of ready backends here; null without one. */
  readonly healthCheck: { readonly port: number; readonly localReady: number } | null;
};

/** The key by which a front is found. */
export function frontKey({ address, port, protocol }: Pick<Front, 'address' | 'port' | 'protocol'>): string {
  return `${address}/${port}/${protocol}`;
}
