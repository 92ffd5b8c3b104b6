import { type Address, parseAddress } from '#lib/base/ip.ts';
import {
  type DataPlaneMaps,
  type Netlink,
  type NextHop,
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

type Way = { readonly hop: Address; readonly ifindex: number };

/**
 * Has the kernel ask for the hardware address of each next hop that packets need, and keep it true, in this thread's network namespace: before Linux 5.10 no program
 * can (bpf/next-hop.h). Where none is needed it is one look at an empty map.
 * @param nowNs of the clock of bpf_ktime_get_ns
 * @throws Error where it cannot be asked
 */
export function askForNeighbours(
  { nextHops }: Pick<DataPlaneMaps, 'nextHops'>,
  nowNs: bigint,
  open: typeof openNetlink = openNetlink,
): void {
  const needed: NextHop[] = [];
  for (const [hop, { lastNs }] of nextHops.entries()) {
    const isOld = nowNs - lastNs > keptNs;
    // What was not found is written again by the next packet.
    if (hop.ifindex === 0 || isOld) nextHops.delete(hop);
    if (!isOld) needed.push(hop);
  }
  if (needed.length === 0) return;
  const netlink = open(routeProtocol);
  if (netlink === null) throw new Error('The kernel gives no socket to its routes (NETLINK_ROUTE).');
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
