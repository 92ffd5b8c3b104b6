import { expect, test } from 'vitest';
import { poolWords } from './pool-words.ts';

test.each([
  ['10.244.0.0/16', '26', 6, '1,024 blocks of 64 addresses for 6 nodes.'],
  ['10.244.0.0/26', '', 1, '1 block of 64 addresses for 1 node.'],
  ['10.244.0.0/24', '32', undefined, '256 blocks of 1 address; nodes not read.'],
  ['fd00::/48', '', 3, 'more than a billion blocks of 64 addresses for 3 nodes.'],
  ['10.244.0.0', '26', 6, null],
  ['10.244.0.0/28', '26', 6, null],
  ['10.244.0.0/16', 'x', 6, null],
  ['10.244.0.0/16', '40', 6, null],
])('%s in blocks of /%s on %s nodes: %s', (cidr, size, nodes, words) => {
  expect(poolWords(cidr, size, nodes)).toBe(words);
});
