import type { MapAddress } from './map-address.ts';

/** What the data plane translates. SCTP is not: `serviceEntries` says so of each port. */
export const protocols = ['TCP', 'UDP'] as const;
export type Protocol = (typeof protocols)[number];

/**
 * One slot of a list. `node`: where it runs, as nodes reach each other, `noAddress` where nobody knows (an endpoint outside the cluster). `isLocal`: on this
 * node. `isHost`: it has its node's own address.
 */
export type Backend = {
  readonly address: MapAddress;
  readonly port: number;
  readonly node: MapAddress;
  readonly isLocal: boolean;
  readonly isHost: boolean;
};

/**
 * The lists of a Service's port (`enum backend_list` of bpf/service.h). `cluster`: everywhere, as hints and readiness leave it. `local`: on this node, whatever
 * the hints are: another node may have chosen one of them by its own hints, and sent the packet here by its tunnel.
 */
export const listKinds = ['cluster', 'local'] as const;
export type ListKind = (typeof listKinds)[number];
export type Lists = Readonly<Record<ListKind, readonly Backend[]>>;

/** Where a front is taken from, the strongest claim first: who may write a Service must not take an address of another one by it (CVE-2020-8554). */
export const frontKinds = ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalIP'] as const;
export type FrontKind = (typeof frontKinds)[number];

export type FrontFlag = 'inside-local' | 'outside-local' | 'source-ranges' | 'affinity' | 'node-port';

/** One address and port that is answered. */
export type Front = {
  readonly kind: FrontKind;
  readonly address: MapAddress;
  readonly port: number;
  readonly protocol: Protocol;
  readonly flags: readonly FrontFlag[];
};

/** A range of clients: its first address, and how many of the 128 bits count. */
export type ClientRange = { readonly address: MapAddress; readonly bits: number };

/** One port of a Service in one address family. `affinityS`: 0 where a client is not kept at one backend. */
export type PortEntries = {
  readonly key: string;
  readonly affinityS: number;
  readonly lists: Lists;
  readonly fronts: readonly Front[];
  readonly ranges: readonly ClientRange[];
};

/** Something of a Service that is not done, as a sentence for its owner. */
export type ServiceProblem = {
  readonly code: 'sctp' | 'protocol' | 'address' | 'range' | 'port' | 'taken' | 'full';
  readonly text: string;
};

export type ServiceEntries = {
  readonly ports: readonly PortEntries[];
  readonly problems: readonly ServiceProblem[];
  /** The port at which load balancers ask whether this node has backends, and how many are ready here. */
  readonly healthCheck: { readonly port: number; readonly localReady: number } | null;
};

/** By what a front is found. */
export function frontKey({ address, port, protocol }: Pick<Front, 'address' | 'port' | 'protocol'>): string {
  return `${address}/${port}/${protocol}`;
}
