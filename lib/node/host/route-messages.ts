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
