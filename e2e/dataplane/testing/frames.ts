import { formatAddress } from '#lib/base/ip.ts';
import { tunnelDefaults } from '#lib/node/bpf/index.ts';
import { onesComplement } from './sums.ts';

const ipVersions = { 2048: 4, 34525: 6 } as const;
const [vxlanFlags, tcp, udp] = [0x08, 6, 17] as const;

export type ParsedFrame = {
  readonly family: 'v4' | 'v6';
  readonly source: string;
  readonly destination: string;
  readonly protocol: number;
  /** Of the IP packet, its header included. */
  readonly length: number;
  readonly sourcePort: number;
  readonly destinationPort: number;
  /** What the tunnel carries, where it is a packet of ours. */
  readonly inside: ParsedFrame | null;
  /** Of a SYN or SYN-ACK that has the option in the first place. */
  readonly segmentSize: number | null;
  readonly transport: Buffer;
  readonly packet: Buffer;
};

const addressAt = (bytes: Buffer, at: number, length: 4 | 16) =>
  formatAddress({
    family: length === 4 ? 4 : 6,
    value: BigInt(`0x${bytes.subarray(at, at + length).toString('hex')}`),
  });

/** The fields of a frame that tests compare; null if it holds no IP packet. */
function readFrame(frame: Buffer): ParsedFrame | null {
  const version = ipVersions[frame.readUInt16BE(12) as keyof typeof ipVersions];
  if (version === undefined) return null;
  const ip = frame.subarray(14);
  const isV4 = version === 4;
  const headers = isV4 ? ((ip[0] ?? 0) & 15) * 4 : 40;
  const protocol = ip[isV4 ? 9 : 6] ?? 0;
  const length = isV4 ? ip.readUInt16BE(2) : 40 + ip.readUInt16BE(4);
  const transport = ip.subarray(headers, length);
  const hasPorts = (protocol === tcp || protocol === udp) && transport.length >= 4;
  const isSyn = protocol === tcp && ((transport[13] ?? 0) & 2) !== 0;
  return {
    family: isV4 ? 'v4' : 'v6',
    source: addressAt(ip, isV4 ? 12 : 8, isV4 ? 4 : 16),
    destination: addressAt(ip, isV4 ? 16 : 24, isV4 ? 4 : 16),
    protocol,
    length,
    sourcePort: hasPorts ? transport.readUInt16BE(0) : 0,
    destinationPort: hasPorts ? transport.readUInt16BE(2) : 0,
    inside:
      protocol === udp && transport.length >= 36 && isOfTunnel(transport) ? readFrame(transport.subarray(16)) : null,
    segmentSize: isSyn && transport[20] === 2 && transport.length >= 24 ? transport.readUInt16BE(22) : null,
    transport,
    packet: ip,
  };
}

function isOfTunnel(transport: Buffer): boolean {
  return (
    transport.readUInt16BE(2) === tunnelDefaults.port &&
    transport.readUInt16BE(6) === 0 &&
    transport[8] === vxlanFlags &&
    transport.readUInt32BE(12) >>> 8 === tunnelDefaults.vni
  );
}

export const framesOf = (frames: readonly Buffer[]): ParsedFrame[] => frames.flatMap((frame) => readFrame(frame) ?? []);

type Datagram = {
  readonly source: string;
  readonly destination: string;
  readonly sourcePort: number;
  readonly destinationPort: number;
  readonly payload: Buffer;
};

/** A datagram by IPv4 with no sum of its own. */
export function datagramPacket({ source, destination, sourcePort, destinationPort, payload }: Datagram): Buffer {
  const packet = Buffer.alloc(28 + payload.length);
  packet.writeUInt8(0x45, 0);
  packet.writeUInt16BE(packet.length, 2);
  packet.writeUInt8(64, 8);
  packet.writeUInt8(udp, 9);
  for (const [at, address] of [
    [12, source],
    [16, destination],
  ] as const)
    packet.set(address.split('.').map(Number), at);
  packet.writeUInt16BE(onesComplement(packet.subarray(0, 20)), 10);
  packet.writeUInt16BE(sourcePort, 20);
  packet.writeUInt16BE(destinationPort, 22);
  packet.writeUInt16BE(8 + payload.length, 24);
  payload.copy(packet, 28);
  return packet;
}

/** As a node sends it to another: what is inside, in our tunnel. */
export function tunnelPacket(source: string, destination: string, inside: Buffer): Buffer {
  const vxlan = Buffer.alloc(22);
  vxlan.writeUInt8(vxlanFlags, 0);
  vxlan.writeUInt32BE((tunnelDefaults.vni << 8) >>> 0, 4);
  vxlan.writeUInt16BE(0x0800, 20);
  const payload = Buffer.concat([vxlan, inside]);
  return datagramPacket({ source, destination, sourcePort: 50_000, destinationPort: tunnelDefaults.port, payload });
}

/** Behind an Ethernet header; the MAC address that it comes from is nobody's. */
export function frameTo(mac: string, packet: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${mac.replaceAll(':', '')}0200000000010800`, 'hex'), packet]);
}

/** The same with a tag that names a priority and no VLAN (IEEE 802.1Q), as some network cards send all frames. */
export function withPriority(frame: Buffer): Buffer {
  return Buffer.concat([frame.subarray(0, 12), Buffer.from('81002000', 'hex'), frame.subarray(12)]);
}
