import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inParallel } from './in-parallel.ts';

test('answers in the order of the items, whoever ends first, and never more at once than asked for', async () => {
  let [now, most] = [0, 0];
  const answers = await inParallel([30, 1, 20, 1, 10], 2, async (ms) => {
    most = Math.max(most, ++now);
    await sleep(ms);
    now--;
    return ms;
  });
  expect(answers).toEqual([30, 1, 20, 1, 10]);
  expect(most).toBe(2);
  expect(await inParallel([], 2, async () => 1)).toEqual([]);
});

test('after a failure nothing is begun, and it rejects when nobody is at work', async () => {
  const [begun, ended]: [number[], number[]] = [[], []];
  const done = inParallel([1, 2, 3, 4], 2, async (item) => {
    begun.push(item);
    if (item === 1) throw new Error('the first');
    await sleep(20);
    ended.push(item);
    if (item === 2) throw new Error('a later one');
  });
  await expect(done).rejects.toThrow('the first');
  expect([begun, ended]).toEqual([[1, 2], [2]]);
});
