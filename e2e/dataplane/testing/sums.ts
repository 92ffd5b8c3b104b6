/** Checksums of IP packets (RFC 1071), computed like a receiver. */

const protocols = { icmp: 1, tcp: 6, udp: 17, icmp6: 58 } as const;
/** Offset of a protocol's checksum in its header. */
const sumAt: Readonly<Record<number, number>> = { 1: 2, 6: 16, 17: 6, 58: 2 };

export function onesComplement(...parts: readonly Buffer[]): number {
  let sum = 0;
  for (const bytes of parts)
    for (let at = 0; at < bytes.length; at += 2) sum += ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}

type Parts = { readonly isV4: boolean; readonly headers: number; readonly protocol: number; readonly length: number };

function partsOf(packet: Buffer): Parts {
  const isV4 = (packet[0] ?? 0) >> 4 === 4;
  return {
    isV4,
    headers: isV4 ? ((packet[0] ?? 0) & 15) * 4 : 40,
    protocol: packet[isV4 ? 9 : 6] ?? 0,
    length: isV4 ? packet.readUInt16BE(2) : 40 + packet.readUInt16BE(4),
  };
}

function pseudoHeader(packet: Buffer, { isV4, headers, protocol, length }: Parts): Buffer {
  if (isV4 && protocol === protocols.icmp) return Buffer.alloc(0);
  const ends = isV4 ? packet.subarray(12, 20) : packet.subarray(8, 40);
  const rest = Buffer.alloc(8);
  rest.writeUInt32BE(length - headers, 0);
  rest.writeUInt8(protocol, 7);
  return Buffer.concat([ends, rest]);
}

/** Whether the checksums are correct. UDP over IPv4 may have none, and ours has none in a tunnel. */
export function sumsAreRight(packet: Buffer): boolean {
  const parts = partsOf(packet);
  const { isV4, headers, protocol, length } = parts;
  if (isV4 && onesComplement(packet.subarray(0, headers)) !== 0) return false;
  const at = sumAt[protocol];
  if (at === undefined) return true;
  const transport = packet.subarray(headers, length);
  if (protocol === protocols.udp && transport.readUInt16BE(at) === 0) return true;
  return onesComplement(pseudoHeader(packet, parts), transport) === 0;
}

/** The packet with correct checksums. */
export function withSums(packet: Buffer): Buffer {
  const parts = partsOf(packet);
  const { isV4, headers, protocol, length } = parts;
  const made = Buffer.from(packet);
  if (isV4) {
    made.writeUInt16BE(0, 10);
    made.writeUInt16BE(onesComplement(made.subarray(0, headers)), 10);
  }
  const at = sumAt[protocol];
  if (at === undefined) return made;
  made.writeUInt16BE(0, headers + at);
  const sum = onesComplement(pseudoHeader(made, parts), made.subarray(headers, length));
  made.writeUInt16BE(sum === 0 && protocol === protocols.udp ? 0xffff : sum, headers + at);
  return made;
}
