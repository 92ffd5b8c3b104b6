import { formatAddress, unmapped } from '#lib/base/ip.ts';
import { netlinkFlags, netlinkMessage, openNetlink } from '../bpf/index.ts';

/** A connected UDP socket. Programs know it by the same `cookie`. */
export type DatagramSocket = { readonly cookie: bigint; readonly address: string; readonly port: number };

/** Numbers of linux/netlink.h, linux/sock_diag.h and linux/inet_diag.h. */
const socketDiagnosis = 4;
const messages = { list: 20, destroy: 21 } as const;
const udp = 17;
/** The bit of TCP_ESTABLISHED, which is also the state of a connected UDP socket. */
const connected = 1 << 1;
/** Offsets in struct inet_diag_msg and inet_diag_req_v2: the socket's identity in an answer, and the fields of the identity. */
const identity = { inAnswer: 4, size: 48, port: 2, address: 20, cookie: 40 } as const;
const families = [
  { number: 2, addressSize: 4 },
  { number: 10, addressSize: 16 },
] as const;

/** In the maps' form: an IPv4-mapped address of an IPv6 socket becomes IPv4. */
const addressIn = (bytes: Buffer) =>
  formatAddress(unmapped({ family: bytes.length === 4 ? 4 : 6, value: BigInt(`0x${bytes.toString('hex')}`) }));

/**
 * Ends the connected UDP sockets of this network namespace for which `isStale` is true. Their owners get an error (ECONNABORTED) and can connect
 * again. Sockets that the kernel does not list or end (it needs CONFIG_INET_DIAG_DESTROY) stay. Returns how many were ended.
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
