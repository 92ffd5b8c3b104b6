import type { Address } from '#lib/base/ip.ts';

/** NETLINK_ROUTE of linux/netlink.h: links, routes and neighbours. */
export const routeProtocol = 0;

/** Message types of linux/rtnetlink.h. */
export const routeMessages = {
  ...{ newLink: 16, getLink: 18 },
  ...{ newRoute: 24, getRoute: 26 },
  ...{ newNeighbour: 28, getNeighbour: 30 },
} as const;

/** AF_INET and AF_INET6. */
export const familyNumbers = { 4: 2, 6: 10 } as const;

/** struct ifinfomsg of linux/rtnetlink.h. */
export const linkMessage = { size: 16, ifindex: 4, flags: 8 } as const;
/** IFF_UP, IFF_LOOPBACK and IFF_NOARP of linux/if.h. */
export const linkFlags = { up: 0x1, loopback: 0x8, withoutNeighbours: 0x80 } as const;

/** IFLA_MASTER of linux/if_link.h: the bond or bridge of which it is a member. */
export const linkAttributes = { master: 10 } as const;

/** struct ndmsg of linux/neighbour.h: its size, and the offsets of fields. */
export const neighbourMessage = { size: 12, ifindex: 4, state: 8, flags: 10 } as const;
/** NDA_DST and NDA_LLADDR. */
export const neighbourAttributes = { address: 1, mac: 2 } as const;

/** struct rtattr with its payload. No padding: the payloads used here are whole words. */
export function attribute(type: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(head.length + bytes.length, 0);
  head.writeUInt16LE(type, 2);
  return Buffer.concat([head, bytes]);
}

/** The payloads of attributes by type. */
export function attributesIn(bytes: Buffer): Map<number, Buffer> {
  const found = new Map<number, Buffer>();
  for (let at = 0; at + 4 <= bytes.length; ) {
    const length = Math.max(4, bytes.readUInt16LE(at));
    found.set(bytes.readUInt16LE(at + 2), bytes.subarray(at + 4, at + length));
    at += (length + 3) & ~3;
  }
  return found;
}

export const bytesOf = ({ family, value }: Address): Buffer =>
  Buffer.from(value.toString(16).padStart(family === 4 ? 8 : 32, '0'), 'hex');

/** From 4 or 16 bytes. */
export const addressOf = (bytes: Buffer): Address => ({
  family: bytes.length === 4 ? 4 : 6,
  value: BigInt(`0x${bytes.toString('hex')}`),
});
