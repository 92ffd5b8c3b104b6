import { expect, test } from 'vitest';
import { servicePace } from './watched-services.ts';

test.each([
  [0, 50, 0],
  [1, 50, 1],
  [4, 50, 4],
  [10, 50, 10],
  [11, 60, 11],
  [40, 200, 40],
  [50, 250, 50],
  [51, 250, 50],
  [5_000, 250, 50],
])('%i nodes: every %i ms, from %i of them', (nodes, intervalMs, asking) => {
  expect(servicePace(nodes)).toEqual({ intervalMs, asking });
});

test('all nodes together stay within bounds, however many there are', () => {
  const counts = Array.from({ length: 6_000 }, (_, index) => index + 1);
  const over = counts.filter((nodes) => {
    const { intervalMs, asking } = servicePace(nodes);
    const perSecond = (asking * 1_000) / intervalMs;
    return perSecond > 200 || 2 * perSecond > 500;
  });
  expect(over).toEqual([]);
});
