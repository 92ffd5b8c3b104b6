import { parseAddress } from '#lib/base/ip.ts';
import { withSums } from './sums.ts';

type Ends = { readonly source: string; readonly destination: string; readonly ttl?: number };
type Ports = { readonly sourcePort: number; readonly destinationPort: number };

const etherTypes = { 4: 0x0800, 6: 0x86dd } as const;

function addressBytes(text: string): Buffer {
  const address = parseAddress(text);
  if (!address) throw new Error(`${text} is no address`);
  const digits = address.family === 4 ? 8 : 32;
  return Buffer.from(address.value.toString(16).padStart(digits, '0'), 'hex');
}

/** An IP packet of the addresses' family, with correct checksums. */
function ipPacket({ source, destination, ttl = 64 }: Ends, protocol: number, payload: Buffer): Buffer {
  const ends = Buffer.concat([source, destination].map(addressBytes));
  if (ends.length === 32) {
    const header = Buffer.from([0x60, 0, 0, 0, 0, 0, protocol, ttl]);
    header.writeUInt16BE(payload.length, 4);
    return withSums(Buffer.concat([header, ends, payload]));
  }
  const header = Buffer.from([0x45, 0, 0, 0, 0x12, 0x34, 0x40, 0, ttl, protocol, 0, 0]);
  header.writeUInt16BE(20 + payload.length, 2);
  return withSums(Buffer.concat([header, ends, payload]));
}

/** The first segment of a connection, or the answer to it; its options begin with the size of segments. */
export function synPacket(ends: Ends & Ports, { isAnswer = false }: { readonly isAnswer?: boolean } = {}): Buffer {
  const tcp = Buffer.alloc(32);
  tcp.writeUInt16BE(ends.sourcePort, 0);
  tcp.writeUInt16BE(ends.destinationPort, 2);
  tcp.writeUInt32BE(0xffff_fffe, 4);
  tcp.writeUInt16BE(0x8000 | (isAnswer ? 0x12 : 0x02), 12);
  tcp.writeUInt16BE(64_240, 14);
  tcp.set([2, 4, 0x05, 0xb4, 1, 3, 3, 7, 4, 2, 0, 0], 20);
  return ipPacket(ends, 6, tcp);
}

export function datagramOf(ends: Ends & Ports, length: number): Buffer {
  const udp = Buffer.alloc(8 + length, 'x');
  udp.writeUInt16BE(ends.sourcePort, 0);
  udp.writeUInt16BE(ends.destinationPort, 2);
  udp.writeUInt16BE(udp.length, 4);
  return ipPacket(ends, 17, udp);
}

/** A router's ICMP error: a packet was too big for the next link. */
export function tooBigPacket(ends: Ends, quoted: Buffer): Buffer {
  const isV4 = (quoted[0] ?? 0) >> 4 === 4;
  const header = Buffer.from([isV4 ? 3 : 2, isV4 ? 4 : 0, 0, 0, 0, 0, 0x05, 0x14]);
  return ipPacket(ends, isV4 ? 1 : 58, Buffer.concat([header, quoted.subarray(0, 64)]));
}

/** With an Ethernet header with arbitrary addresses. */
export function withEthernetHeader(packet: Buffer): Buffer {
  const header = Buffer.from('02000000000102000000000200', 'hex');
  const frame = Buffer.concat([header, Buffer.alloc(1), packet]);
  frame.writeUInt16BE(etherTypes[(packet[0] ?? 0) >> 4 === 4 ? 4 : 6], 12);
  return frame;
}
