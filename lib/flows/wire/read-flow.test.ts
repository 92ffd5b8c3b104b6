import { expect, test } from 'vitest';
import { flowSize } from '../flow-size.ts';
import { aFlow, aHit } from '../testing/a-flow.ts';
import { readFlow } from './read-flow.ts';
import { writeFlow } from './write-flow.ts';

const start = 1_800_000_000;
test.each([
  [start, start + 15, true],
  [start, start + 3_630, true],
  [start, 0, true],
  [start, 9e15, false],
  [start, start + 9_000, false],
  [9e15, 9e15, false],
  [9e12, 9e12 + 15, false],
  [0, start, false],
])('a flow from %d to %d is told: %s', (from, to, expected) => {
  const flow = readFlow(writeFlow({ ...aFlow(), start: from, end: to }));
  expect(flow !== null).toBe(expected);
  if (flow) expect(() => new Date(flow.end * 1000).toISOString()).not.toThrow();
});

test.each([
  [0, true],
  [65_535, true],
  [65_536, false],
  [70_000, false],
])('a flow to port %d is told: %s', (port, expected) => {
  expect(readFlow(writeFlow(aFlow({ port }))) !== null).toBe(expected);
});

test('a flow is bounded as a whole, whatever its labels and policies are', () => {
  const labels = Array.from({ length: 100 }, (_, index) => `${'k'.repeat(316)}=${'v'.repeat(60)}${index}`);
  const { from, to } = aFlow();
  const hits = Array(100).fill(aHit({ trigger: aHit() }));
  const flow = readFlow(
    writeFlow(aFlow({ from: { ...from, labels }, to: { ...to, labels }, policies: { enforced: hits, pending: hits } })),
  );
  expect(flow?.from.labels).toEqual([...labels.slice(0, 10), '…']);
  expect(flow?.policies.enforced).toHaveLength(20);
  const size = JSON.stringify(flow).length;
  expect(size).toBeLessThan(30_000);
  // The estimate by which views and lists are limited is close to the real size.
  expect(Math.abs(flowSize(flow ?? expect.unreachable()) - size) / size).toBeLessThan(0.3);
});
