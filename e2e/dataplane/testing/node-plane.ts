import { join } from 'node:path';
import {
  attachInterface,
  attachSockets,
  type BpfMap,
  backendFlags,
  backendLists,
  configFlags,
  type DataPlane,
  interfaceKinds,
  loadDataPlane,
  protocols,
  routeFlags,
  serviceFlags,
  tunnelDefaults,
} from '#lib/node/bpf/index.ts';
import { neighbourAsker } from '#lib/node/index.ts';
import type { Topology } from './topology.ts';
import { withinNetwork } from './within-network.ts';

export type Family = 'v4' | 'v6';

export type FrontEnd = {
  readonly address: string;
  readonly port: number;
  readonly backends: readonly string[];
  readonly family?: Family;
  readonly flags?: number;
  /** Which of the backends the list `local` has; left out: those whose pods are on this node. */
  readonly local?: readonly string[];
  /** Left out: a number of its own by address and port. */
  readonly id?: number;
  readonly sourceRanges?: readonly { readonly prefix: number; readonly address: string }[];
};

/** Where every pod of a topology listens. */
export const podPort = 8080;
/** Where all its pods are. */
export const podNetwork = '10.89.0.0/16';

/** A node of a topology as its agent leaves it: maps of its own, programs attached, every address of the topology known. */
export type NodePlane = {
  readonly plane: DataPlane;
  /** All services there are from now on. */
  readonly serve: (...frontEnds: readonly FrontEnd[]) => void;
  readonly configure: (flags: number) => void;
  /** Its interface of the network, `eth0`, is another from now on, which gets the programs that are loaded. */
  readonly moveTo: (link: string) => void;
  readonly close: () => void;
};

export function nodePlane(
  net: Topology,
  node: string,
  {
    nodes,
    pods,
    has,
    object,
  }: {
    readonly nodes: readonly string[];
    readonly pods: readonly { pod: string; node: string }[];
    readonly has?: Parameters<typeof loadDataPlane>[0]['has'];
    /** Left out: the one that comes with the package. */
    readonly object?: string;
  },
): NodePlane {
  const plane = loadDataPlane({ pins: join(net.bpffs, node), ...(has && { has }), ...(object && { object }) });
  const { services, backends, routes, interfaces, config, affinities, flows, sourceRanges } = plane.maps;
  const letGo = [attachSockets(plane, { cgroup: net.cgroup(node), pins: null })];
  const own = net.addresses(node);
  const local = pods.filter((one) => one.node === node).map(({ pod }) => pod);
  const hosts = {
    hostV4: own.v4,
    hostV6: own.v6,
    policyIn: 0,
    policyOut: 0,
    hostPolicyIn: 0,
    hostPolicyOut: 0,
    flags: 0,
  };
  const attach = (link: string, kind: 'pod' | 'network', podMac: string) => {
    const ifindex = net.ifindex(node, link);
    interfaces.set(ifindex, {
      ...hosts,
      kind: interfaceKinds[kind],
      mtu: 1500,
      statistics: 1,
      podMac,
      hostMac: net.mac(node, link),
    });
    return withinNetwork(net.namespace(node), () => attachInterface(plane, { ifindex, pins: null }));
  };
  const attachNetwork = (link: string) => attach(link, 'network', '00:00:00:00:00:00');
  for (const pod of local) letGo.push(attach(pod, 'pod', net.mac(pod, 'eth0')));
  let letNetworkGo = attachNetwork('eth0');
  letGo.push(() => letNetworkGo());

  const put = (address: string, flags: number, ifindex = 0, at = '::') =>
    routes.set({ prefix: 128, address }, { flags, ifindex, node: at, endpoint: 0 });
  for (const one of nodes) {
    const flags = routeFlags.host | (one === node ? routeFlags.local | routeFlags.nodePorts : routeFlags.tunnel);
    for (const address of Object.values(net.addresses(one))) put(address, flags, 0, one === node ? '::' : address);
  }
  for (const { pod, node: of } of pods)
    for (const family of ['v4', 'v6'] as const) {
      const address = net.addresses(pod)[family];
      if (of === node) put(address, routeFlags.local | routeFlags.pod, net.ifindex(node, pod));
      else put(address, routeFlags.pod, 0, net.addresses(of)[family]);
    }
  const configure = (flags: number) =>
    config.set(0, {
      // As the agent sets it once all programs are attached.
      flags: flags | configFlags.holdsFlows,
      vni: tunnelDefaults.vni,
      tunnelPort: tunnelDefaults.port,
      tunnelMtu: 1450,
      nodeV4: own.v4,
      nodeV6: own.v6,
    });
  configure(configFlags.synced);

  // As the agent does.
  const askForNeighbours = neighbourAsker();
  const asking = setInterval(
    () => withinNetwork(net.namespace(node), () => askForNeighbours(plane.maps, process.hrtime.bigint())),
    100,
  );
  asking.unref();
  letGo.push(() => clearInterval(asking));

  const nodeOf = (name: string) => pods.find(({ pod }) => pod === name)?.node ?? name;
  return {
    plane,
    configure,
    moveTo(link) {
      // Filters of clsact are removed by the number of their interface, which each network has of its own.
      withinNetwork(net.namespace(node), letNetworkGo);
      for (const [ifindex, { kind }] of interfaces.entries())
        if (kind === interfaceKinds.network) interfaces.delete(ifindex);
      letNetworkGo = attachNetwork(link);
    },
    serve(...frontEnds) {
      empty(services);
      empty(backends);
      empty(affinities);
      empty(flows);
      empty(sourceRanges);
      for (const [index, one] of frontEnds.entries()) {
        const { address, port, family = 'v4', flags = 0, backends: all, id = index + 1 } = one;
        const here = one.local ?? all.filter((name) => nodeOf(name) === node);
        for (const [list, names] of [
          [backendLists.cluster, all],
          [backendLists.local, here],
        ] as const)
          for (const [slot, name] of names.entries())
            backends.set(
              { service: id, slot, list },
              {
                address: net.addresses(name)[family],
                node: net.addresses(nodeOf(name))[family],
                port: podPort,
                flags:
                  (nodeOf(name) === node ? backendFlags.local : 0) |
                  (nodes.includes(name) ? backendFlags.hostNetwork : 0),
              },
            );
        for (const { prefix, address: range } of one.sourceRanges ?? [])
          sourceRanges.set({ prefix, service: id, address: range }, 1);
        const affinityS = flags & serviceFlags.affinity ? 600 : 0;
        const counts = { clusterBackends: all.length, localBackends: here.length };
        for (const protocol of Object.values(protocols))
          services.set({ address, port, protocol }, { id, ...counts, flags, affinityS });
      }
    },
    close() {
      for (const one of letGo) one();
      plane.close();
    },
  };
}

function empty<Key, Value>(map: BpfMap<Key, Value>): void {
  for (const [key] of map.entries()) map.delete(key);
}
