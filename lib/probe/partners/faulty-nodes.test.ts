import { expect, test } from 'vitest';
import { faultyNodes } from './faulty-nodes.ts';

/** All pairs of a, b, c and d except these, written `from>to`. */
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
])('%o: %o', (paths, expected) => {
  expect(broken(...paths).sort()).toEqual([...expected].sort());
});

const zones: Readonly<Record<string, string>> = { a1: 'a', a2: 'a', a3: 'a', b1: 'b', b2: 'b', c1: 'c' };

/** All pairs of six nodes in three zones; `isBroken` decides which are broken. */
function brokenWays(isBroken: (from: string, to: string) => boolean) {
  const pairs = Object.keys(zones).flatMap((from) =>
    Object.keys(zones)
      .filter((to) => to !== from)
      .map((to) => ({ from, to, arrives: isBroken(from, to) ? ('none' as const) : ('full' as const) })),
  );
  const faults = faultyNodes(pairs, ({ arrives }) => arrives === 'full', 'nothing', [
    { kind: 'zone', of: (node) => zones[node] ?? null },
  ]);
  return Object.fromEntries(faults);
}

const between = (one: string, other: string, from: string, to: string) => zones[from] === one && zones[to] === other;

test('a way from one zone into another over which nothing passes is named, and not each pair', () => {
  const words = 'nothing arrives in zone b from zone a';
  expect(brokenWays((from, to) => between('a', 'b', from, to))).toEqual({ b1: words, b2: words });
});

test('both ways at once are one', () => {
  const words = 'nothing passes between zone a and zone b';
  const nodes = ['a1', 'a2', 'a3', 'b1', 'b2'];
  expect(brokenWays((from, to) => between('a', 'b', from, to) || between('b', 'a', from, to))).toEqual(
    Object.fromEntries(nodes.map((node) => [node, words])),
  );
});

test('where something passes on the way, or one node explains all of it, pairs are told', () => {
  expect(brokenWays((from, to) => between('a', 'b', from, to) && !(from === 'a1' && to === 'b1'))).toEqual({
    b1: 'nothing arrives there from a2 and a3',
    b2: 'nothing arrives there from a1, a2 and a3',
  });
  expect(brokenWays((from, to) => between('a', 'b', from, to) && from === 'a1')).toEqual({
    b1: 'nothing arrives there from a1',
    b2: 'nothing arrives there from a1',
  });
  // Zone c has only one node.
  expect(brokenWays((from, to) => between('a', 'c', from, to))).toEqual({
    c1: 'nothing arrives there from a1, a2 and a3',
  });
});

test('a node that is cut off as well is named alone, and the way all the same', () => {
  const found = brokenWays((from, to) => between('a', 'b', from, to) || [from, to].includes('a1'));
  expect(found).toEqual({
    a1: 'nothing arrives there from any node, and nothing of it arrives at any node',
    b1: 'nothing arrives in zone b from zone a',
    b2: 'nothing arrives in zone b from zone a',
  });
});

test('where nothing passes between any two, that is said once, and of a zone all ways out of it are one', () => {
  const all = Object.keys(zones);
  expect(brokenWays(() => true)).toEqual(
    Object.fromEntries(all.map((node) => [node, 'nothing passes between any two nodes'])),
  );
  const within = 'nothing passes within zone a';
  expect(brokenWays((from, to) => between('a', 'a', from, to))).toEqual({ a1: within, a2: within, a3: within });
  const into = 'nothing arrives in zone b from any other';
  expect(brokenWays((from, to) => zones[from] !== 'b' && zones[to] === 'b')).toEqual({ b1: into, b2: into });
  const both = 'nothing passes between zone b and any other zone';
  expect(brokenWays((from, to) => (zones[from] === 'b') !== (zones[to] === 'b'))).toEqual(
    Object.fromEntries(all.map((node) => [node, both])),
  );
});

test('two nodes that are cut off are both named, and nothing is told of others', () => {
  const words = 'nothing arrives there from any node, and nothing of it arrives at any node';
  expect(brokenWays((from, to) => [from, to].some((end) => ['a1', 'b1'].includes(end)))).toEqual({
    a1: words,
    b1: words,
  });
});
