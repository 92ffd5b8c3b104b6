import { sumsAreRight, withSums } from './sums.ts';

/** xorshift32: the same packets each time. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
}

/** One to three bytes are others, at times the end is missing; at times the sums are right again. */
export function damage(packet: Buffer, numbers: () => number): Buffer {
  const damaged = Buffer.from(packet);
  for (let times = numbers() % 4; times > 0; times--)
    damaged[numbers() % Math.min(damaged.length, 64)] = numbers() & 0xff;
  // The kernel runs nothing on less than a header.
  const least = (damaged[0] ?? 0) >> 4 === 4 ? 20 : 40;
  const cut = numbers() % 8 === 0 ? damaged.subarray(0, least + (numbers() % (damaged.length - least))) : damaged;
  return numbers() % 2 === 0 && readsAsWhole(cut) ? withSums(cut) : cut;
}

/** That its headers do not say more than there is, so that sums can be counted. */
function readsAsWhole(packet: Buffer): boolean {
  const isV4 = (packet[0] ?? 0) >> 4 === 4;
  if (!isV4 && (packet[0] ?? 0) >> 4 !== 6) return false;
  if (packet.length < (isV4 ? 20 : 40)) return false;
  const headers = isV4 ? ((packet[0] ?? 0) & 15) * 4 : 40;
  const length = isV4 ? packet.readUInt16BE(2) : 40 + packet.readUInt16BE(4);
  return headers >= 20 && length === packet.length && length >= headers + 20;
}

/** That its headers say what there is, and that its sums are right. */
export const readsAsSound = (packet: Buffer) => readsAsWhole(packet) && sumsAreRight(packet);
