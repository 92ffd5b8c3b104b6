import { expect, test } from 'vitest';
import { aFlow } from '../testing/a-flow.ts';
import { FlowBuckets, idOf } from './flow-buckets.ts';

const now = 1_800_000_000;

test('where no more flows fit, those that are known still grow', () => {
  const buckets = new FlowBuckets(now, 2);
  for (const port of [1, 2, 3, 1]) buckets.add(aFlow({ start: now, port }), now);
  expect(buckets.leftOut).toBe(1);
  expect(buckets.list(0, now + 15).map(({ port, connections }) => [port, connections.started])).toEqual([
    [1, 4],
    [2, 2],
  ]);
});

test('an id is of what a flow is, not of who asked first', () => {
  expect(idOf(aFlow({ start: now }))).toBe(idOf(aFlow({ start: now + 15, bytes: { in: 9, out: 9 } })));
  expect(idOf(aFlow({ port: 1 }))).not.toBe(idOf(aFlow({ port: 2 })));
  expect(Number.isSafeInteger(idOf(aFlow()))).toBe(true);
});
