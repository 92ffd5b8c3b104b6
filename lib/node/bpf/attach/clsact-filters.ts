import { netlinkFlags, netlinkMessage, openNetlink } from '../netlink.ts';

/** Numbers of linux/netlink.h, linux/rtnetlink.h and linux/pkt_sched.h. */
const route = 0;
const [getFilters, aFilter] = [46, 44] as const;
const parents = { ingress: 0xffff_fff2, egress: 0xffff_fff3 } as const;
const filterSize = 20;

/**
 * Whether anybody has a filter at clsact of an interface, in either direction. True if the kernel cannot be asked: deleting clsact would delete the
 * filters of others.
 */
export function hasClsactFilters(ifindex: number): boolean {
  return Object.values(parents).some((parent) => hasFilters(ifindex, parent));
}

function hasFilters(ifindex: number, parent: number): boolean {
  const netlink = openNetlink(route);
  if (netlink === null) return true;
  try {
    const about = Buffer.alloc(filterSize);
    about.writeInt32LE(ifindex, 4);
    about.writeUInt32LE(parent, 12);
    const { answers, isWhole } = netlink.all(netlinkMessage(getFilters, netlinkFlags.dump, about));
    return !isWhole || answers.some(({ type }) => type === aFilter);
  } finally {
    netlink.close();
  }
}
