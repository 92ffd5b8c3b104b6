import { isInCidr } from '#lib/base/ip.ts';
import { type DataPlaneMaps, type Route, type RouteKey, routeFlags } from '../bpf/index.ts';
import { familyOf, noAddress } from '../services/map-address.ts';
import type { NodeAddresses } from '../services/node-view.ts';

/** Which addresses of this host answer at NodePorts: all of them and loopback, or those in ranges (kube-proxy's `nodePortAddresses`). */
export type NodePortAddresses = 'all' | readonly string[];

const wholeBits = 128;

const routeKey = ({ prefix, address }: RouteKey) => `${address}/${prefix}`;

/** Loopback as a whole in IPv4: 127.0.0.1 is one of 16 million. */
const loopback: readonly RouteKey[] = [
  { prefix: 96 + 8, address: '127.0.0.0' },
  { prefix: wholeBits, address: '::1' },
];

/**
 * What the packet path must know of hosts: this one's addresses, with those that take node ports, and where the others are. Addresses of this host are those of
 * its interfaces now, so that one that is added later answers too.
 */
export function hostRoutes({
  own,
  nodes,
  nodeName,
  nodePorts,
}: {
  readonly own: readonly string[];
  readonly nodes: ReadonlyMap<string, NodeAddresses>;
  readonly nodeName: string;
  readonly nodePorts: NodePortAddresses;
}): Map<string, { key: RouteKey; route: Route }> {
  const routes = new Map<string, { key: RouteKey; route: Route }>();
  const add = (key: RouteKey, flags: number, node: string = noAddress) =>
    routes.set(routeKey(key), { key, route: { flags, ifindex: 0, node, endpoint: 0 } });
  for (const [name, { all, of }] of nodes) {
    if (name === nodeName) continue;
    const tunnels = [of[4], of[6]];
    for (const address of all)
      add(
        { prefix: wholeBits, address },
        routeFlags.host | (tunnels.includes(address) ? routeFlags.tunnel : 0),
        of[familyOf(address)] ?? noAddress,
      );
  }
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

/** Brings the routes of hosts into the map and takes out those of hosts that are gone; routes of pods are left alone. @throws BpfError */
export function writeHostRoutes(maps: Pick<DataPlaneMaps, 'routes'>, wanted: ReturnType<typeof hostRoutes>): number {
  let writes = 0;
  const left = new Map(wanted);
  for (const [key, route] of maps.routes.entries()) {
    if ((route.flags & routeFlags.host) === 0) continue;
    const known = left.get(routeKey(key));
    if (known && known.route.flags === route.flags && known.route.node === route.node) left.delete(routeKey(key));
    else if (!known) writes += Number(maps.routes.delete(key));
  }
  for (const { key, route } of left.values()) {
    maps.routes.set(key, route);
    writes++;
  }
  return writes;
}
