import { readFileSync } from 'node:fs';
import { type Address, type Family, parseAddress } from '#lib/base/ip.ts';
import {
  type DataPlaneMaps,
  interfaceKinds,
  type Netlink,
  netlinkFlags,
  netlinkMessage,
  openNetlink,
} from '../bpf/index.ts';
import { hopsToAsk, type NeededHop, type RequestedHops } from './choose-neighbours.ts';
import { addressOf, attribute, attributesIn, bytesOf } from './netlink-attributes.ts';
import {
  familyNumbers,
  linkAttributes,
  linkFlags,
  linkMessage,
  neighbourAttributes,
  neighbourMessage,
  routeMessages,
  routeProtocol,
} from './route-messages.ts';

/** RTA_DST, RTA_OIF, RTA_GATEWAY and RTA_VIA of linux/rtnetlink.h. */
const routeAttributes = { destination: 1, ifindex: 4, gateway: 5, via: 18 } as const;
/** NTF_USE: the kernel acts as if a packet were sent: it resolves an unknown neighbour and confirms a stale one. */
const use = 1;
/** The size of struct rtmsg in bytes. */
const routeSize = 12;

/** A next hop without packets for so long is forgotten. */
const forgottenAfterNs = 60_000_000_000n;

/** At most half of the neighbours that the kernel keeps per family are asked for: the host needs the others. */
const shareOfTable = 2;
/** The kernel's default, for when it cannot be read. */
const usualTable = 512;

/** Link-local addresses (fe80::/10) are next hops on one link only; who has them depends on the interface. */
const ofOneLink = { prefix: 0xfe80n >> 6n, bits: 128n - 10n } as const;

/** A link-local hop counts once however many links it is asked for at. The limit keeps even a flood of invented hops within the kernel's table. */
const linksOfHop = 4;

type Way = { readonly hop: Address; readonly ifindex: number };

/** The host's interface to its network and kernel; replaced in tests. */
export type NeighbourHost = {
  readonly open: (protocol: number) => Netlink | null;
  /** gc_thresh2: how many neighbours of a family the kernel keeps before it discards some. */
  readonly table: (family: Family) => number;
};

export type AskForNeighbours = (maps: Pick<DataPlaneMaps, 'nextHops' | 'interfaces'>, nowNs: bigint) => void;

const thisHost: NeighbourHost = { open: openNetlink, table: neighbourTable };

/**
 * Lets the kernel resolve the hardware address of each next hop that packets need, and keep it fresh, in this thread's network namespace. Before
 * Linux 5.10 no program can do that (bpf/next-hop.h). If there are too many for the kernel's table, {@link hopsToAsk} chooses. If none is needed, it
 * only reads an empty map.
 * @returns a function to call again and again; it remembers which hops it has asked for. `nowNs` is of bpf_ktime_get_ns's clock. It throws Error if
 * the kernel gives no netlink socket
 */
export function neighbourAsker({ open, table }: NeighbourHost = thisHost): AskForNeighbours {
  let before: RequestedHops = new Map();
  return ({ nextHops, interfaces }, nowNs) => {
    const needed: NeededHop[] = [];
    for (const [hop, { lastNs }] of nextHops.entries()) {
      const isOld = nowNs - lastNs > forgottenAfterNs;
      // If the hop was not found, the next packet enters it again.
      if (hop.ifindex === 0 || isOld) nextHops.delete(hop);
      const to = parseAddress(hop.address);
      if (!isOld && to !== null) needed.push({ to, ifindex: hop.ifindex, lastNs });
    }
    if (needed.length === 0) return;
    const room = { 4: Math.floor(table(4) / shareOfTable), 6: Math.floor(table(6) / shareOfTable) };
    const netlink = open(routeProtocol);
    if (netlink === null) throw new Error('The kernel refused a socket for its routes (NETLINK_ROUTE).');
    try {
      const links = linksOnce(netlink, interfaces);
      const { ask, requested } = hopsToAsk(needed, before, nowNs, room);
      before = requested;
      for (const { to, ifindex } of ask)
        for (const way of ifindex === 0 ? waysTo(netlink, to, links) : [{ hop: to, ifindex }])
          netlink.isDone(askFor(way));
    } finally {
      netlink.close();
    }
  };
}

/** How many neighbours of a family this machine's kernel keeps before it discards some. `read` returns a file's text and throws if there is none. */
export function neighbourTable(family: Family, read = (path: string) => readFileSync(path, 'utf8')): number {
  try {
    return Number.parseInt(read(`/proc/sys/net/ipv${family}/neigh/default/gc_thresh2`), 10) || usualTable;
  } catch {
    return usualTable;
  }
}

/**
 * The packet's program did not know the interface of a hop that was not found. The host's routes tell it; a link-local hop is asked for at all links.
 */
function waysTo(netlink: Netlink, to: Address, links: () => readonly number[]): readonly Way[] {
  if (to.family === 6 && to.value >> ofOneLink.bits === ofOneLink.prefix)
    return links().map((ifindex) => ({ hop: to, ifindex }));
  const way = wayTo(netlink, to);
  return way ? [way] : [];
}

/**
 * Interfaces at which a link-local hop may be asked for, network interfaces first. Excludes pods' interfaces and members of a bond or bridge. Read at
 * most once.
 */
function linksOnce(netlink: Netlink, interfaces: DataPlaneMaps['interfaces']): () => readonly number[] {
  let links: readonly number[] | null = null;
  return () => {
    links ??= linksToAskBy(netlink, interfaces);
    return links;
  };
}

function linksToAskBy(netlink: Netlink, interfaces: DataPlaneMaps['interfaces']): number[] {
  const { up, loopback, withoutNeighbours } = linkFlags;
  const kindOf = (ifindex: number) => interfaces.get(ifindex)?.kind;
  const rank = (ifindex: number) => (kindOf(ifindex) === interfaceKinds.network ? 0 : 1);
  return netlink
    .all(netlinkMessage(routeMessages.getLink, netlinkFlags.dump, Buffer.alloc(linkMessage.size)))
    .answers.filter(({ type, payload }) => {
      if (type !== routeMessages.newLink) return false;
      const flags = payload.readUInt32LE(linkMessage.flags);
      const isEnslaved = attributesIn(payload.subarray(linkMessage.size)).has(linkAttributes.master);
      return (flags & (up | loopback | withoutNeighbours)) === up && !isEnslaved;
    })
    .map(({ payload }) => payload.readInt32LE(linkMessage.ifindex))
    .filter((ifindex) => kindOf(ifindex) !== interfaceKinds.pod)
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, linksOfHop);
}

/** The next hop by the host's routes; null if there is no route. */
function wayTo(netlink: Netlink, to: Address): Way | null {
  const bytes = bytesOf(to);
  const about = Buffer.alloc(routeSize);
  about.writeUInt8(familyNumbers[to.family], 0);
  about.writeUInt8(bytes.length * 8, 1);
  const request = netlinkMessage(
    routeMessages.getRoute,
    netlinkFlags.acknowledge,
    about,
    attribute(routeAttributes.destination, bytes),
  );
  const answer = netlink.all(request).answers.find(({ type }) => type === routeMessages.newRoute);
  if (!answer) return null;
  const found = attributesIn(answer.payload.subarray(routeSize));
  const ifindex = found.get(routeAttributes.ifindex)?.readUInt32LE();
  // RTA_VIA, a next hop of the other family, begins with the two bytes of that family's number.
  const hop = found.get(routeAttributes.gateway) ?? found.get(routeAttributes.via)?.subarray(2) ?? bytes;
  return ifindex === undefined ? null : { ifindex, hop: addressOf(hop) };
}

function askFor({ hop, ifindex }: Way): Buffer {
  const about = Buffer.alloc(neighbourMessage.size);
  about.writeUInt8(familyNumbers[hop.family], 0);
  about.writeInt32LE(ifindex, neighbourMessage.ifindex);
  about.writeUInt8(use, neighbourMessage.flags);
  return netlinkMessage(
    routeMessages.newNeighbour,
    netlinkFlags.create | netlinkFlags.acknowledge,
    about,
    attribute(neighbourAttributes.address, bytesOf(hop)),
  );
}
