import { formatAddress } from '#lib/base/ip.ts';
import { netlinkFlags, netlinkMessage, openNetlink } from '../bpf/index.ts';
import {
  addressOf,
  attributesIn,
  neighbourAttributes,
  neighbourMessage,
  routeMessages,
  routeProtocol,
} from './route-messages.ts';

/** Who is behind an interface, and its hardware address. */
export type Neighbour = { readonly ifindex: number; readonly address: string; readonly mac: string };

export const noMac = '00:00:00:00:00:00';

/** NUD_REACHABLE, NUD_STALE, NUD_DELAY, NUD_PROBE and NUD_PERMANENT of linux/neighbour.h: what else there is nobody has answered, or is of no neighbour. */
const answered = 0x02 | 0x04 | 0x08 | 0x10 | 0x80;

/** What messages of one neighbour each say, without the header of netlink; who has no hardware address, or not one of Ethernet, is left out. */
export function neighboursIn(messages: readonly Buffer[]): Neighbour[] {
  return messages.flatMap((message) => {
    const found = attributesIn(message.subarray(neighbourMessage.size));
    const [address, bytes] = [found.get(neighbourAttributes.address), found.get(neighbourAttributes.mac)];
    if (!address || bytes?.length !== 6 || (message.readUInt16LE(neighbourMessage.state) & answered) === 0) return [];
    const mac = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(':');
    const ifindex = message.readInt32LE(neighbourMessage.ifindex);
    return mac === noMac ? [] : [{ ifindex, mac, address: formatAddress(addressOf(address)) }];
  });
}

/** All that this thread's network namespace knows, of both families; none where the kernel does not tell. */
export function knownNeighbours(): Neighbour[] {
  const netlink = openNetlink(routeProtocol);
  if (netlink === null) return [];
  try {
    const asked = netlinkMessage(routeMessages.getNeighbour, netlinkFlags.dump, Buffer.alloc(neighbourMessage.size));
    const { answers } = netlink.all(asked);
    return neighboursIn(
      answers.filter(({ type }) => type === routeMessages.newNeighbour).map(({ payload }) => payload),
    );
  } finally {
    netlink.close();
  }
}
