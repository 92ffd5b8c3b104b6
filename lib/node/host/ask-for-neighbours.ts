import { type Address, parseAddress } from '#lib/base/ip.ts';
import {
  type DataPlaneMaps,
  type Netlink,
  type NextHop,
  netlinkFlags,
  netlinkMessage,
  openNetlink,
} from '../bpf/index.ts';

/** Of linux/netlink.h, linux/rtnetlink.h and linux/neighbour.h. */
const route = 0;
const messages = { newRoute: 24, getRoute: 26, newNeighbour: 28 } as const;
const attributes = { routeDestination: 1, routeInterface: 4, routeGateway: 5, routeVia: 18, neighbour: 1 } as const;
/** NTF_USE: as if a packet were sent there: what is not known is asked for, what is old is asked anew. */
const use = 1;
/** Bytes of struct rtmsg and struct ndmsg, and of AF_INET and AF_INET6. */
const sizes = { route: 12, neighbour: 12 } as const;
const families = { 4: 2, 6: 10 } as const;

/** What no packet went to for so long is let go. */
const keptNs = 60_000_000_000n;

type Way = { readonly hop: Address; readonly ifindex: number };

/**
 * Has the kernel ask for the hardware address of each next hop that packets need, and keep it true, in this thread's network namespace: before Linux 5.10 no program
 * can (bpf/next-hop.h). Where none is needed it is one look at an empty map.
 * @param peers addresses that packets will go to: asked for before the first one, which would be lost
 * @param nowNs of the clock of bpf_ktime_get_ns
 */
export function askForNeighbours(
  { nextHops }: Pick<DataPlaneMaps, 'nextHops'>,
  peers: readonly string[],
  nowNs: bigint,
): void {
  const needed: NextHop[] = peers.map((address) => ({ address, ifindex: 0 }));
  for (const [hop, { lastNs }] of nextHops.entries()) {
    const isOld = nowNs - lastNs > keptNs;
    // What was not found is written again by the next packet.
    if (hop.ifindex === 0 || isOld) nextHops.delete(hop);
    if (!isOld) needed.push(hop);
  }
  const netlink = needed.length === 0 ? null : openNetlink(route);
  if (netlink === null) return;
  try {
    for (const { address, ifindex } of needed) {
      const to = parseAddress(address);
      const way = to && (ifindex === 0 ? wayTo(netlink, to) : { hop: to, ifindex });
      if (way) netlink.isDone(askFor(way));
    }
  } finally {
    netlink.close();
  }
}

/** By the host's routes; null: there is none. */
function wayTo(netlink: Netlink, to: Address): Way | null {
  const bytes = bytesOf(to);
  const about = Buffer.alloc(sizes.route);
  about.writeUInt8(families[to.family], 0);
  about.writeUInt8(bytes.length * 8, 1);
  const asked = netlinkMessage(
    messages.getRoute,
    netlinkFlags.acknowledge,
    about,
    attribute(attributes.routeDestination, bytes),
  );
  const answer = netlink.all(asked).answers.find(({ type }) => type === messages.newRoute);
  if (!answer) return null;
  const found = attributesIn(answer.payload.subarray(sizes.route));
  const ifindex = found.get(attributes.routeInterface)?.readUInt32LE();
  // A hop of the other family has that family's number before it.
  const hop = found.get(attributes.routeGateway) ?? found.get(attributes.routeVia)?.subarray(2) ?? bytes;
  return ifindex === undefined ? null : { ifindex, hop: addressOf(hop) };
}

function askFor({ hop, ifindex }: Way): Buffer {
  const about = Buffer.alloc(sizes.neighbour);
  about.writeUInt8(families[hop.family], 0);
  about.writeInt32LE(ifindex, 4);
  about.writeUInt8(use, 10);
  return netlinkMessage(
    messages.newNeighbour,
    netlinkFlags.create | netlinkFlags.acknowledge,
    about,
    attribute(attributes.neighbour, bytesOf(hop)),
  );
}

/** struct rtattr and what it holds, whose sizes are whole words here. */
function attribute(type: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(head.length + bytes.length, 0);
  head.writeUInt16LE(type, 2);
  return Buffer.concat([head, bytes]);
}

function attributesIn(bytes: Buffer): Map<number, Buffer> {
  const found = new Map<number, Buffer>();
  for (let at = 0; at + 4 <= bytes.length; ) {
    const length = Math.max(4, bytes.readUInt16LE(at));
    found.set(bytes.readUInt16LE(at + 2), bytes.subarray(at + 4, at + length));
    at += (length + 3) & ~3;
  }
  return found;
}

const bytesOf = ({ family, value }: Address) =>
  Buffer.from(value.toString(16).padStart(family === 4 ? 8 : 32, '0'), 'hex');

const addressOf = (bytes: Buffer): Address => ({
  family: bytes.length === 4 ? 4 : 6,
  value: BigInt(`0x${bytes.toString('hex')}`),
});
