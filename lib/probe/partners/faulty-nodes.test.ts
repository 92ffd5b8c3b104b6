import { expect, test } from 'vitest';
import { faultyNodes } from './faulty-nodes.ts';

/** All pairs of a, b, c and d but these, written `from>to`. */
const broken = (...paths: string[]) => {
  const nodes = ['a', 'b', 'c', 'd'];
  const pairs = nodes.flatMap((from) =>
    nodes
      .filter((to) => to !== from)
      .map((to) => ({ from, to, arrives: paths.includes(`${from}>${to}`) ? 'none' : 'full' }) as const),
  );
  const faults = faultyNodes(pairs, ({ arrives }) => arrives === 'full', 'nothing');
  return [...faults].map(([node, words]) => `${node}: ${words}`);
};

test.each<[string[], string[]]>([
  [[], []],
  [['a>b'], ['b: nothing arrives there from a']],
  [
    ['a>b', 'b>a'],
    ['b: nothing arrives there from a', 'a: nothing arrives there from b'],
  ],
  [['a>d', 'b>d', 'c>d'], ['d: nothing arrives there from any node']],
  [['d>a', 'd>b', 'd>c'], ['d: nothing of it arrives at any node']],
  [
    ['a>d', 'b>d', 'c>d', 'd>a', 'd>b', 'd>c'],
    ['d: nothing arrives there from any node, and nothing of it arrives at any node'],
  ],
  [
    ['d>a', 'd>b', 'd>c', 'b>a'],
    ['d: nothing of it arrives at any node', 'a: nothing arrives there from b'],
  ],
])('%o: %o', (paths, says) => {
  expect(broken(...paths).sort()).toEqual([...says].sort());
});
