import { formatAddress, unmapped } from '#lib/base/ip.ts';
import { netlinkFlags, netlinkMessage, openNetlink } from '../bpf/index.ts';

/** A UDP socket that is connected: `cookie` is what programs know it by too. */
export type DatagramSocket = { readonly cookie: bigint; readonly address: string; readonly port: number };

/** Of linux/netlink.h, linux/sock_diag.h and linux/inet_diag.h. */
const socketDiagnosis = 4;
const messages = { list: 20, destroy: 21 } as const;
const udp = 17;
/** A bit for TCP_ESTABLISHED, which a connected socket of UDP is too. */
const connected = 1 << 1;
/** Of struct inet_diag_msg and inet_diag_req_v2: where the socket's identity is in the one and the other, and what is in it. */
const identity = { inAnswer: 4, size: 48, port: 2, address: 20, cookie: 40 } as const;
const families = [
  { number: 2, addressSize: 4 },
  { number: 10, addressSize: 16 },
] as const;

/** As the maps have it: what an IPv6 socket has for an IPv4 address is that. */
const addressIn = (bytes: Buffer) =>
  formatAddress(unmapped({ family: bytes.length === 4 ? 4 : 6, value: BigInt(`0x${bytes.toString('hex')}`) }));

/**
 * Ends the connected UDP sockets of this network namespace that `isStale`: who holds one is told by an error (ECONNABORTED), and may connect anew. What the
 * kernel does not let us see, or end (it takes CONFIG_INET_DIAG_DESTROY), stays. Returns how many were ended.
 */
export function endDatagramSockets(isStale: (socket: DatagramSocket) => boolean): number {
  const netlink = openNetlink(socketDiagnosis);
  if (netlink === null) return 0;
  let ended = 0;
  try {
    for (const { number, addressSize } of families) {
      const about = Buffer.from([number, udp, 0, 0, connected, 0, 0, 0]);
      const all = netlinkMessage(messages.list, netlinkFlags.dump, about, Buffer.alloc(identity.size));
      for (const { type, payload } of netlink.all(all).answers) {
        if (type !== messages.list) continue;
        const id = payload.subarray(identity.inAnswer, identity.inAnswer + identity.size);
        const socket = {
          cookie: id.readBigUInt64LE(identity.cookie),
          address: addressIn(id.subarray(identity.address, identity.address + addressSize)),
          port: id.readUInt16BE(identity.port),
        };
        if (!isStale(socket)) continue;
        if (netlink.isDone(netlinkMessage(messages.destroy, netlinkFlags.acknowledge, about, id))) ended++;
      }
    }
  } finally {
    netlink.close();
  }
  return ended;
}
