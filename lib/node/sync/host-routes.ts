import { formatAddress, isInCidr, parseCidr } from '#lib/base/ip.ts';
import { type DataPlaneMaps, type Route, type RouteKey, routeFlags } from '../bpf/index.ts';
import { familyOf, noAddress } from '../services/map-address.ts';
import type { NodeAddresses } from '../services/node-view.ts';

/** Which addresses of this host answer at NodePorts: all of them and loopback, or those in ranges (kube-proxy's `nodePortAddresses`). */
export type NodePortAddresses = 'all' | readonly string[];

const wholeBits = 128;
/** IPv4's prefixes are counted behind those of a mapped address. */
const mappedBits = 96;

const routeKey = ({ prefix, address }: RouteKey) => `${address}/${prefix}`;

/** Loopback as a whole in IPv4: 127.0.0.1 is one of 16 million. */
const loopback: readonly RouteKey[] = [
  { prefix: mappedBits + 8, address: '127.0.0.0' },
  { prefix: wholeBits, address: '::1' },
];

export type WantedRoutes = ReadonlyMap<string, { readonly key: RouteKey; readonly route: Route }>;

/**
 * What the packet path must know of addresses: this host's, with those that take node ports, where the other nodes are, and behind which interface each pod of this
 * node is. Addresses of this host are those of its interfaces now, so that one that is added later answers too.
 */
export function hostRoutes({
  own,
  nodes,
  nodeName,
  nodePorts,
  pods = [],
  throughTunnel = [],
}: {
  readonly own: readonly string[];
  readonly nodes: ReadonlyMap<string, NodeAddresses>;
  readonly nodeName: string;
  readonly nodePorts: NodePortAddresses;
  readonly pods?: readonly { readonly address: string; readonly ifindex: number }[];
  /** Ranges of clients that get answers through the tunnel although DSR is on. */
  readonly throughTunnel?: readonly string[];
}): WantedRoutes {
  const routes = new Map<string, { key: RouteKey; route: Route }>();
  const add = (key: RouteKey, flags: number, more: Partial<Route> = {}) =>
    routes.set(routeKey(key), { key, route: { flags, ifindex: 0, node: noAddress, endpoint: 0, ...more } });
  for (const range of throughTunnel) {
    const cidr = parseCidr(range);
    if (cidr === null) continue;
    const { family, first, prefix } = cidr;
    add(
      { prefix: prefix + (family === 4 ? mappedBits : 0), address: formatAddress({ family, value: first }) },
      routeFlags.noDsr,
    );
  }
  for (const [name, { all, of }] of nodes) {
    if (name === nodeName) continue;
    const tunnels = [of[4], of[6]];
    for (const address of all)
      add({ prefix: wholeBits, address }, routeFlags.host | (tunnels.includes(address) ? routeFlags.tunnel : 0), {
        node: of[familyOf(address)] ?? noAddress,
      });
  }
  for (const { address, ifindex } of pods)
    add({ prefix: wholeBits, address }, routeFlags.local | routeFlags.pod, { ifindex });
  const takes = (address: string) => nodePorts === 'all' || nodePorts.some((range) => isInCidr(address, range));
  for (const address of own)
    add(
      { prefix: wholeBits, address },
      routeFlags.local | routeFlags.host | (takes(address) ? routeFlags.nodePorts : 0),
    );
  for (const key of loopback)
    if (takes(key.address)) add(key, routeFlags.local | routeFlags.host | routeFlags.nodePorts);
  return routes;
}

const textOf = ({ flags, ifindex, node, endpoint }: Route) => `${flags} ${ifindex} ${node} ${endpoint}`;

/** The map of routes, and what stands in it: read once, so that thousands of nodes cost nothing while none of them changes. */
export class RouteWriter {
  readonly #routes: DataPlaneMaps['routes'];
  readonly #written: Map<string, { readonly key: RouteKey; readonly text: string }>;

  constructor({ routes }: Pick<DataPlaneMaps, 'routes'>) {
    this.#routes = routes;
    this.#written = new Map(
      Array.from(routes.entries(), ([key, route]) => [routeKey(key), { key, text: textOf(route) }]),
    );
  }

  /** Brings the map to what is wanted; returns how many writes that took. @throws BpfError */
  write(wanted: WantedRoutes): number {
    let writes = 0;
    for (const [id, { key, route }] of wanted) {
      const text = textOf(route);
      if (this.#written.get(id)?.text === text) continue;
      this.#routes.set(key, route);
      this.#written.set(id, { key, text });
      writes++;
    }
    for (const [id, { key }] of this.#written) {
      if (wanted.has(id)) continue;
      this.#routes.delete(key);
      this.#written.delete(id);
      writes++;
    }
    return writes;
  }
}
