import { formatAddress, isInCidr, parseCidr } from '#lib/base/ip.ts';
import { type DataPlaneMaps, type Route, type RouteKey, routeFlags } from '../bpf/index.ts';
import { familyOf, noAddress } from '../services/map-address.ts';
import type { NodeAddresses } from '../services/node-view.ts';

/** The addresses of this host that answer at NodePorts: all including loopback, or those in these CIDRs (kube-proxy's `nodePortAddresses`). */
export type NodePortAddresses = 'all' | readonly string[];

const addressBits = 128;
/** An IPv4 prefix has this many bits more in its mapped form. */
const mappedBits = 96;

const routeKey = ({ prefix, address }: RouteKey) => `${address}/${prefix}`;

/** All of 127.0.0.0/8 in IPv4: 127.0.0.1 is only one of its 16 million addresses. */
const loopback: readonly RouteKey[] = [
  { prefix: mappedBits + 8, address: '127.0.0.0' },
  { prefix: addressBits, address: '::1' },
];

export type WantedRoutes = ReadonlyMap<string, { readonly key: RouteKey; readonly route: Route }>;

/**
 * The routes that the packet path needs: addresses of this host with a flag for those that take node ports, addresses of the other nodes, and the
 * interface of each pod of this node. `own` are the present addresses of the host's interfaces, so that one that is added later answers too.
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
  /** CIDRs of clients that get answers through the tunnel although DSR is on. */
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
      add({ prefix: addressBits, address }, routeFlags.host | (tunnels.includes(address) ? routeFlags.tunnel : 0), {
        node: of[familyOf(address)] ?? noAddress,
      });
  }
  for (const { address, ifindex } of pods)
    add({ prefix: addressBits, address }, routeFlags.local | routeFlags.pod, { ifindex });
  const takes = (address: string) => nodePorts === 'all' || nodePorts.some((range) => isInCidr(address, range));
  for (const address of own)
    add(
      { prefix: addressBits, address },
      routeFlags.local | routeFlags.host | (takes(address) ? routeFlags.nodePorts : 0),
    );
  for (const key of loopback)
    if (takes(key.address)) add(key, routeFlags.local | routeFlags.host | routeFlags.nodePorts);
  return routes;
}

const textOf = ({ flags, ifindex, node, endpoint }: Route) => `${flags} ${ifindex} ${node} ${endpoint}`;

/** Writes the map of routes. It reads the map only once, so that even thousands of nodes cost no system call while none of them changes. */
export class RouteWriter {
  readonly #routes: DataPlaneMaps['routes'];
  readonly #written: Map<string, { readonly key: RouteKey; readonly text: string }>;

  constructor({ routes }: Pick<DataPlaneMaps, 'routes'>) {
    this.#routes = routes;
    this.#written = new Map(
      Array.from(routes.entries(), ([key, route]) => [routeKey(key), { key, text: textOf(route) }]),
    );
  }

  /** Brings the map to the wanted routes. Returns the number of writes. @throws BpfError */
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
