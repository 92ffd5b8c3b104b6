import type { Family } from '#lib/base/ip.ts';
import type { ReadNode } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import type { Backend } from './entries.ts';
import { familyOf, type MapAddress, noAddress, readAddress, readUsableAddress } from './map-address.ts';

/** What one node knows about its own place and about the other nodes. */
export type NodeView = {
  readonly nodeName: string;
  readonly zone: string;
  whereIs(nodeName: string | null, address: MapAddress, family: Family): Pick<Backend, 'node' | 'isLocal' | 'isHost'>;
};

/**
 * The parts of a Node on which Services depend. Most updates of Nodes are heartbeats, which change none of them. `of`: the address by which nodes
 * reach it, by family.
 */
export type NodeAddresses = {
  readonly of: Partial<Readonly<Record<Family, MapAddress>>>;
  readonly all: readonly MapAddress[];
  readonly zone: string;
};

/** Calico's choice wins over InternalIPs: routes and tunnels between nodes use it, and a node may have several addresses. */
const calicoAnnotations = ['projectcalico.org/IPv4Address', 'projectcalico.org/IPv6Address'];

/** Reads these parts of a Node. Addresses that no node may have, and text that is no address, are left out. */
export function nodeAddresses({ metadata, status }: ReadNode): NodeAddresses {
  const ofCalico = calicoAnnotations.map((name) => (metadata.annotations[name] ?? '').split('/')[0] ?? '');
  const internal = status.addresses.filter(({ type }) => type === 'InternalIP').map(({ address }) => address);
  const read = [...ofCalico, ...internal].map(readUsableAddress).filter((one) => one !== null);
  const of: Partial<Record<Family, MapAddress>> = {};
  for (const address of read) of[familyOf(address)] ??= address;
  const others = status.addresses.map(({ address }) => readAddress(address)).filter((one) => one !== null);
  const all = [...new Set([...read, ...others])];
  return { of, all: all.sort(), zone: metadata.labels[names.zoneLabel] ?? '' };
}

/** The view of this node. `nodes`: all Nodes by name; one that is missing has neither zone nor address. */
export function nodeView(nodeName: string, nodes: ReadonlyMap<string, NodeAddresses>): NodeView {
  return {
    nodeName,
    zone: nodes.get(nodeName)?.zone ?? '',
    whereIs(where, address, family) {
      const node = where === null ? undefined : nodes.get(where);
      return {
        // Our tunnel carries no family in the other (bpf/tunnel.h): without an address of this family only processes and pods reach a pod there, by the
        // host's routes. The other address still says that it is on a node.
        node: node?.of[family] ?? node?.of[4] ?? node?.of[6] ?? noAddress,
        isLocal: where === nodeName,
        isHost: node?.all.includes(address) ?? false,
      };
    },
  };
}
