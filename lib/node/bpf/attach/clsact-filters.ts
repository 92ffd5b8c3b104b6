import { closeSync } from 'node:fs';
import { openLibrary } from '../native-library.ts';

/** Of linux/netlink.h, linux/rtnetlink.h and linux/pkt_sched.h. */
const netlink = { family: 16, raw: 3, route: 0 } as const;
const [getFilters, aFilter, atEnd, anError, requestAll] = [46, 44, 3, 2, 0x301] as const;
const parents = { ingress: 0xffff_fff2, egress: 0xffff_fff3 } as const;
const [headerSize, filterSize, mostBytes] = [16, 20, 65_536] as const;

/** Whether anybody has a filter at clsact of an interface, in either direction. What cannot be told is taken for yes. */
export function hasClsactFilters(ifindex: number): boolean {
  return Object.values(parents).some((parent) => hasFilters(ifindex, parent));
}

function hasFilters(ifindex: number, parent: number): boolean {
  const libc = openLibrary('libc.so.6');
  const fd = Number(
    libc.bind('int socket(int family, int type, int protocol)')(netlink.family, netlink.raw, netlink.route),
  );
  if (fd < 0) return true;
  try {
    const asked = Buffer.alloc(headerSize + filterSize);
    asked.writeUInt32LE(asked.length, 0);
    asked.writeUInt16LE(getFilters, 4);
    asked.writeUInt16LE(requestAll, 6);
    asked.writeInt32LE(ifindex, headerSize + 4);
    asked.writeUInt32LE(parent, headerSize + 12);
    const sent = libc.bind('long send(int fd, const void *from, size_t length, int flags)')(fd, asked, asked.length, 0);
    if (Number(sent) < 0) return true;
    return answersWithFilter(() => {
      const into = Buffer.alloc(mostBytes);
      const got = Number(
        libc.bind('long recv(int fd, void *into, size_t length, int flags)')(fd, into, into.length, 0),
      );
      return got < 0 ? null : into.subarray(0, got);
    });
  } finally {
    closeSync(fd);
  }
}

/** Of the messages of a dump, which the kernel ends by one that says so. */
function answersWithFilter(receive: () => Buffer | null): boolean {
  for (;;) {
    const messages = receive();
    if (messages === null || messages.length < headerSize) return true;
    for (let at = 0; at + headerSize <= messages.length; ) {
      const type = messages.readUInt16LE(at + 4);
      if (type === aFilter) return true;
      if (type === atEnd || type === anError) return false;
      at += Math.max(headerSize, (messages.readUInt32LE(at) + 3) & ~3);
    }
  }
}
