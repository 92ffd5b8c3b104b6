import { readFileSync } from 'node:fs';
import { type Address, type Family, parseAddress } from '#lib/base/ip.ts';
import {
  type DataPlaneMaps,
  interfaceKinds,
  type Netlink,
  type NextHop,
  type NextHopUse,
  netlinkFlags,
  netlinkMessage,
  openNetlink,
} from '../bpf/index.ts';
import {
  addressOf,
  attribute,
  attributesIn,
  bytesOf,
  familyNumbers,
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

type Way = { readonly hop: Address; readonly ifindex: number };

/** What this host says of its network, and of its kernel. */
export type NeighbourHost = {
  readonly open: (protocol: number) => Netlink | null;
  /** How many neighbours of a family the kernel keeps before it throws some away (gc_thresh2). */
  readonly table: (family: Family) => number;
};

export const thisHost: NeighbourHost = { open: openNetlink, table: neighbourTable };

/**
 * Has the kernel ask for the hardware address of each next hop that packets need, and keep it true, in this thread's network namespace: before Linux 5.10 no program
 * can (bpf/next-hop.h). Where there are too many for the kernel's table, of those that were needed last. Where none is needed it is one look at an empty map.
 * @param nowNs of the clock of bpf_ktime_get_ns
 * @throws Error where it cannot be asked
 */
export function askForNeighbours(
  { nextHops, interfaces }: Pick<DataPlaneMaps, 'nextHops' | 'interfaces'>,
  nowNs: bigint,
  { open, table }: NeighbourHost = thisHost,
): void {
  const needed: (readonly [NextHop, NextHopUse])[] = [];
  for (const [hop, use] of nextHops.entries()) {
    const isOld = nowNs - use.lastNs > keptNs;
    // What was not found is written again by the next packet.
    if (hop.ifindex === 0 || isOld) nextHops.delete(hop);
    if (!isOld) needed.push([hop, use]);
  }
  if (needed.length === 0) return;
  needed.sort(([, one], [, other]) => Number(other.lastNs - one.lastNs));
  const room = { 4: Math.floor(table(4) / shareOfTable), 6: Math.floor(table(6) / shareOfTable) };
  const netlink = open(routeProtocol);
  if (netlink === null) throw new Error('The kernel gives no socket to its routes (NETLINK_ROUTE).');
  try {
    const links = linksOnce(netlink, interfaces);
    for (const [{ address, ifindex }] of needed) {
      const to = parseAddress(address);
      if (to === null || room[to.family] === 0) continue;
      for (const way of ifindex === 0 ? waysTo(netlink, to, links) : [{ hop: to, ifindex }]) {
        if (room[way.hop.family] === 0) break;
        room[way.hop.family]--;
        netlink.isDone(askFor(way));
      }
    }
  } finally {
    netlink.close();
  }
}

function neighbourTable(family: Family): number {
  try {
    const text = readFileSync(`/proc/sys/net/ipv${family}/neigh/default/gc_thresh2`, 'utf8');
    return Number.parseInt(text, 10) || usualTable;
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

/** Interfaces behind which somebody may be asked for, but for those of pods. Asked for once. */
function linksOnce(netlink: Netlink, interfaces: DataPlaneMaps['interfaces']): () => readonly number[] {
  let links: readonly number[] | null = null;
  return () => {
    links ??= linksToAskBy(netlink, interfaces);
    return links;
  };
}

function linksToAskBy(netlink: Netlink, interfaces: DataPlaneMaps['interfaces']): number[] {
  const { up, loopback, withoutNeighbours } = linkFlags;
  return netlink
    .all(netlinkMessage(routeMessages.getLink, netlinkFlags.dump, Buffer.alloc(linkMessage.size)))
    .answers.filter(({ type, payload }) => {
      const flags = payload.readUInt32LE(linkMessage.flags);
      return type === routeMessages.newLink && (flags & (up | loopback | withoutNeighbours)) === up;
    })
    .map(({ payload }) => payload.readInt32LE(linkMessage.ifindex))
    .filter((ifindex) => interfaces.get(ifindex)?.kind !== interfaceKinds.pod);
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
