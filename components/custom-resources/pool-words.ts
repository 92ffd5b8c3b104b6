import { parseCidr } from '#lib/base/ip.ts';
import { counted } from '#lib/base/words.ts';
import { blockSizes } from '#lib/installation/in-browser.ts';

/** The size of a pool as a sentence; null if its CIDR or block size is invalid. `1,024 blocks of 64 addresses for 6 nodes.` */
export function poolWords(cidr: string, blockSize: string, nodeCount: number | undefined): string | null {
  const range = parseCidr(cidr);
  if (range === null) return null;
  const width = range.family === 4 ? 32 : 128;
  const size = blockSize === '' ? blockSizes[range.family].usual : Number(blockSize);
  if (!Number.isInteger(size) || size < range.prefix || size > width) return null;
  const blocks = upToCountable(1n << BigInt(size - range.prefix), 'block');
  const each = upToCountable(1n << BigInt(width - size), 'address', 'addresses');
  const nodes = nodeCount === undefined ? '; nodes not read' : ` for ${counted(nodeCount, 'node')}`;
  return `${blocks} of ${each}${nodes}.`;
}

/** Larger numbers are not counted exactly. */
const countable = 1_000_000_000n;

function upToCountable(count: bigint, one: string, many = `${one}s`): string {
  return count > countable ? `more than a billion ${many}` : counted(count, one, many);
}
