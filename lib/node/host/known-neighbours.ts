import { formatAddress } from '#lib/base/ip.ts';
import { netlinkFlags, netlinkMessage, openNetlink } from '../bpf/index.ts';
import { addressOf, attributesIn } from './netlink-attributes.ts';
import { neighbourAttributes, neighbourMessage, routeMessages, routeProtocol } from './route-messages.ts';

/** A neighbour behind an interface, with its hardware address. */
export type Neighbour = { readonly ifindex: number; readonly address: string; readonly mac: string };

export const noMac = '00:00:00:00:00:00';

/**
 * NUD_REACHABLE, NUD_STALE, NUD_DELAY, NUD_PROBE and NUD_PERMANENT of linux/neighbour.h. In other states no neighbour has answered, or the address
 * belongs to none.
 */
const answered = 0x02 | 0x04 | 0x08 | 0x10 | 0x80;

/** Parses messages with one neighbour each, without netlink's header. Neighbours without an Ethernet address are left out. */
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

/** All neighbours of this thread's network namespace, of both families; none if the kernel cannot be asked. */
export function knownNeighbours(): Neighbour[] {
  const netlink = openNetlink(routeProtocol);
  if (netlink === null) return [];
  try {
    const request = netlinkMessage(routeMessages.getNeighbour, netlinkFlags.dump, Buffer.alloc(neighbourMessage.size));
    const { answers } = netlink.all(request);
    return neighboursIn(
      answers.filter(({ type }) => type === routeMessages.newNeighbour).map(({ payload }) => payload),
    );
  } finally {
    netlink.close();
  }
}
