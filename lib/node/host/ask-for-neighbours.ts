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
import { type AskedHops, hopsToAsk, type NeededHop } from './choose-neighbours.ts';
import {
  addressOf,
  attribute,
  attributesIn,
  bytesOf,
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
/** NTF_USE: as if a packet were sent there: what is not known is asked for, what is old is asked anew. */
const use = 1;
/** Bytes of struct rtmsg. */
const routeSize = 12;

/** What no packet went to for so long is let go. */
const keptNs = 60_000_000_000n;

/** Of the kernel's neighbours of a family as many are asked for as half of what it keeps before it throws some away: the host has others. */
const shareOfTable = 2;
/** The kernel's own, where it does not say. */
const usualTable = 512;

/** Next hops of one link alone: who they are depends on by which interface they are asked. */
const ofOneLink = { prefix: 0xfe80n >> 6n, bits: 128n - 10n } as const;

/** It counts once, on however many links it is asked for: of made-up ones, too, all find room in the kernel's table. */
const linksOfHop = 4;

type Way = { readonly hop: Address; readonly ifindex: number };

/** What this host says of its network, and of its kernel. */
export type NeighbourHost = {
  readonly open: (protocol: number) => Netlink | null;
  /** How many neighbours of a family the kernel keeps before it throws some away (gc_thresh2). */
  readonly table: (family: Family) => number;
};

export type AskForNeighbours = (maps: Pick<DataPlaneMaps, 'nextHops' | 'interfaces'>, nowNs: bigint) => void;

const thisHost: NeighbourHost = { open: openNetlink, table: neighbourTable };

/**
 * Has the kernel ask for the hardware address of each next hop that packets need, and keep it true, in this thread's network namespace: before Linux 5.10 no program
 * can (bpf/next-hop.h). Where there are too many for the kernel's table, {@link hopsToAsk} chooses. Where none is needed it is one look at an empty map.
 * @returns one look, to be had time and again: it remembers whom it asked for. `nowNs` is of the clock of bpf_ktime_get_ns; it throws Error where the kernel cannot be asked
 */
export function neighbourAsker({ open, table }: NeighbourHost = thisHost): AskForNeighbours {
  let before: AskedHops = new Map();
  return ({ nextHops, interfaces }, nowNs) => {
    const needed: NeededHop[] = [];
    for (const [hop, { lastNs }] of nextHops.entries()) {
      const isOld = nowNs - lastNs > keptNs;
      // What was not found is written again by the next packet.
      if (hop.ifindex === 0 || isOld) nextHops.delete(hop);
      const to = parseAddress(hop.address);
      if (!isOld && to !== null) needed.push({ to, ifindex: hop.ifindex, lastNs });
    }
    if (needed.length === 0) return;
    const room = { 4: Math.floor(table(4) / shareOfTable), 6: Math.floor(table(6) / shareOfTable) };
    const netlink = open(routeProtocol);
    if (netlink === null) throw new Error('The kernel gives no socket to its routes (NETLINK_ROUTE).');
    try {
      const links = linksOnce(netlink, interfaces);
      const { ask, asked } = hopsToAsk(needed, before, nowNs, room);
      before = asked;
      for (const { to, ifindex } of ask)
        for (const way of ifindex === 0 ? waysTo(netlink, to, links) : [{ hop: to, ifindex }])
          netlink.isDone(askFor(way));
    } finally {
      netlink.close();
    }
  };
}

/** How many neighbours of a family the kernel of this machine keeps before it throws some away. `read` gives the text of a file, and throws where there is none. */
export function neighbourTable(family: Family, read = (path: string) => readFileSync(path, 'utf8')): number {
  try {
    return Number.parseInt(read(`/proc/sys/net/ipv${family}/neigh/default/gc_thresh2`), 10) || usualTable;
  } catch {
    return usualTable;
  }
}

/** Where it was not found nobody tells by which interface packets go there: the routes say it, and of one of a link alone any may be meant. */
function waysTo(netlink: Netlink, to: Address, links: () => readonly number[]): readonly Way[] {
  if (to.family === 6 && to.value >> ofOneLink.bits === ofOneLink.prefix)
    return links().map((ifindex) => ({ hop: to, ifindex }));
  const way = wayTo(netlink, to);
  return way ? [way] : [];
}

/** Interfaces behind which somebody may be asked for, those of the network first. Not those of pods, and not what a bond or bridge has the packets of. Asked for once. */
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

/** By the host's routes; null: there is none. */
function wayTo(netlink: Netlink, to: Address): Way | null {
  const bytes = bytesOf(to);
  const about = Buffer.alloc(routeSize);
  about.writeUInt8(familyNumbers[to.family], 0);
  about.writeUInt8(bytes.length * 8, 1);
  const asked = netlinkMessage(
    routeMessages.getRoute,
    netlinkFlags.acknowledge,
    about,
    attribute(routeAttributes.destination, bytes),
  );
  const answer = netlink.all(asked).answers.find(({ type }) => type === routeMessages.newRoute);
  if (!answer) return null;
  const found = attributesIn(answer.payload.subarray(routeSize));
  const ifindex = found.get(routeAttributes.ifindex)?.readUInt32LE();
  // A hop of the other family has that family's number before it.
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
