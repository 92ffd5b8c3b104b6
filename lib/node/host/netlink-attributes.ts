import type { Address } from '#lib/base/ip.ts';

/** struct nlattr (rtattr) of linux/netlink.h with its payload, padded to whole words: the padding does not count in its length. */
export function attribute(type: number, ...parts: readonly Buffer[]): Buffer {
  const payload = Buffer.concat(parts);
  const header = Buffer.alloc(4);
  header.writeUInt16LE(4 + payload.length, 0);
  header.writeUInt16LE(type, 2);
  return Buffer.concat([header, payload, Buffer.alloc((4 - (payload.length % 4)) % 4)]);
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

/** The 4 or 16 bytes of an address, in network order. */
export const bytesOf = ({ family, value }: Address): Buffer =>
  Buffer.from(value.toString(16).padStart(family === 4 ? 8 : 32, '0'), 'hex');

/** From 4 or 16 bytes. */
export const addressOf = (bytes: Buffer): Address => ({
  family: bytes.length === 4 ? 4 : 6,
  value: BigInt(`0x${bytes.toString('hex')}`),
});
