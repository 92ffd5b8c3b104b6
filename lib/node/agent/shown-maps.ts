import { hostAndPort } from '#lib/base/ip.ts';
import {
  backendFlags,
  backendLists,
  type DataPlaneMaps,
  type Flow,
  flowTypes,
  protocols,
  routeFlags,
  serviceFlags,
} from '../bpf/index.ts';
import { anyAddress, noAddress } from '../services/map-address.ts';

/** The content of a node's maps, for people and programs. Field names are a contract: add, never rename. */

const namesIn = (flags: Readonly<Record<string, number>>, value: number) =>
  Object.keys(flags).filter((name) => (value & (flags[name] ?? 0)) !== 0);
const nameOf = (values: Readonly<Record<string, number>>, value: number) =>
  Object.keys(values).find((name) => values[name] === value) ?? String(value);
const orNull = (address: string) => (address === noAddress ? null : address);
const byText = <Row>(text: (row: Row) => string) => {
  const { compare } = new Intl.Collator('en', { numeric: true });
  return (a: Row, b: Row) => compare(text(a), text(b));
};

export type ShownService = {
  readonly address: string;
  readonly port: number;
  readonly protocol: string;
  readonly id: number;
  readonly flags: readonly string[];
  readonly affinitySeconds: number;
  /** `cluster` lists all backends; `local` those of this node, for traffic policy `Local`. */
  readonly cluster: readonly ShownBackend[];
  readonly local: readonly ShownBackend[];
};

type ShownBackend = {
  readonly address: string;
  readonly port: number;
  readonly node: string | null;
  readonly flags: readonly string[];
};

/** The Services in the map. `address` is `nodes` for a NodePort, which is served at every address of the node that takes node ports. */
export function shownServices({ services, backends }: Pick<DataPlaneMaps, 'services' | 'backends'>): ShownService[] {
  const listed = (service: number, list: number, count: number) =>
    Array.from({ length: count }, (_, slot) => backends.get({ service, slot, list })).flatMap((one) =>
      one
        ? [{ address: one.address, port: one.port, node: orNull(one.node), flags: namesIn(backendFlags, one.flags) }]
        : [],
    );
  return Array.from(services.entries(), ([key, value]) => ({
    address: Object.values(anyAddress).includes(key.address) ? 'nodes' : key.address,
    port: key.port,
    protocol: nameOf(protocols, key.protocol),
    id: value.id,
    flags: namesIn(serviceFlags, value.flags),
    affinitySeconds: value.affinityS,
    cluster: listed(value.id, backendLists.cluster, value.clusterBackends),
    local: listed(value.id, backendLists.local, value.localBackends),
  })).sort(byText(({ address, port, protocol }) => `${address} ${port} ${protocol}`));
}

export type ShownRoute = {
  readonly address: string;
  readonly prefix: number;
  readonly flags: readonly string[];
  readonly interface: number | null;
  readonly node: string | null;
};

/** The routes in the map, by address. */
export function shownRoutes({ routes }: Pick<DataPlaneMaps, 'routes'>): ShownRoute[] {
  return Array.from(routes.entries(), ([key, value]) => ({
    address: key.address,
    prefix: key.address.includes(':') ? key.prefix : key.prefix - 96,
    flags: namesIn(routeFlags, value.flags),
    interface: value.ifindex || null,
    node: orNull(value.node),
  })).sort(byText(({ address }) => address));
}

export type ShownFlow = {
  readonly protocol: string;
  readonly type: string;
  readonly client: string;
  readonly service: string;
  readonly backend: string;
  /** The node at the other end of its tunnel; null without a tunnel. */
  readonly node: string | null;
  /** Whole seconds since its last packet. */
  readonly idleSeconds: number;
  /** From the client, and back. Counted at one of the connection's two entries. */
  readonly packets: readonly [number, number];
  readonly bytes: readonly [number, number];
};

/** @param nowNs of CLOCK_MONOTONIC, the clock of the times in the map */
export function shownFlows({ flows }: Pick<DataPlaneMaps, 'flows'>, nowNs: bigint): ShownFlow[] {
  const pair = ([there = 0n, back = 0n]: Flow['packets']) => [Number(there), Number(back)] as const;
  return Array.from(flows.entries(), ([key, flow]) => ({
    protocol: nameOf(protocols, key.protocol),
    type: nameOf(flowTypes, flow.type),
    client: hostAndPort({ host: flow.client, port: flow.clientPort }),
    service: hostAndPort({ host: flow.service, port: flow.servicePort }),
    backend: hostAndPort({ host: flow.backend, port: flow.backendPort }),
    node: orNull(flow.peerNode),
    idleSeconds: Math.max(0, Number((nowNs - flow.lastNs) / 1_000_000_000n)),
    packets: pair(flow.packets),
    bytes: pair(flow.bytes),
  })).sort(byText(({ client, service, type }) => `${client} ${service} ${type}`));
}
