import { expect, test } from 'vitest';
import { faultyNodes } from './faulty-nodes.ts';
import { peersOf } from './pairs.ts';

/** Sizes up to what a preflight tests at once, and far larger ones. */
const sizes = [2, 3, 32, 33, 64, 100, 500, 5_000] as const;

/** Each tested path, and whether packets arrive. */
function heard(nodes: number, isBroken: (from: number, to: number) => boolean) {
  return Array.from({ length: nodes }, (_, to) => to).flatMap((to) =>
    peersOf(to, nodes).map((from) => ({
      from: `n${from}`,
      to: `n${to}`,
      arrives: isBroken(from, to) ? ('none' as const) : ('full' as const),
    })),
  );
}

const faults = (nodes: number, isBroken: (from: number, to: number) => boolean) =>
  [...faultyNodes(heard(nodes, isBroken), ({ arrives }) => arrives === 'full', 'nothing')].map((one) => one.join(': '));

test.each(sizes)('of %i nodes each tests with others that test with it, and no more than 32 of them', (nodes) => {
  const sets = Array.from({ length: nodes }, (_, index) => new Set(peersOf(index, nodes)));
  for (const [index, peers] of sets.entries()) {
    expect(peers.size).toBeLessThanOrEqual(32);
    for (const peer of peers) expect(sets[peer]?.has(index)).toBe(true);
  }
});

test.each(sizes.filter((nodes) => nodes > 2))('of %i nodes one that is cut off is named alone', (nodes) => {
  const bad = nodes >> 1;
  expect(faults(nodes, (from, to) => from === bad || to === bad)).toEqual([
    `n${bad}: nothing arrives there from any node, and nothing of it arrives at any node`,
  ]);
});

test.each(sizes)('of %i nodes one path that is broken is named where it ends', (nodes) => {
  const to = nodes - 1;
  const from = peersOf(to, nodes)[0];
  expect(faults(nodes, (one, other) => one === from && other === to)).toEqual([
    `n${to}: nothing arrives there from n${from}`,
  ]);
});

test.each(sizes)('of %i nodes in four zones no path between two zones is left out', (nodes) => {
  const zone = (index: number) => Math.floor((index * 4) / nodes);
  const zones = new Set(Array.from({ length: nodes }, (_, index) => zone(index)));
  const tested = new Set(
    Array.from({ length: nodes }, (_, index) =>
      peersOf(index, nodes).map((peer) => `${zone(index)} ${zone(peer)}`),
    ).flat(),
  );
  for (const one of zones) for (const other of zones) if (one !== other) expect(tested).toContain(`${one} ${other}`);
});
