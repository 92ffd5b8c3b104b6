import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { instantClock } from './clock.ts';

test('sleepers of an instant clock wake in the order in which they are due', async () => {
  const clock = instantClock(0);
  const woken: string[] = [];
  const sleep = async (name: string, ms: number) => {
    await clock.sleep(ms);
    woken.push(`${name} at ${clock.now()}`);
  };
  await Promise.all([sleep('late', 3_600_000), sleep('soon', 1), sleep('as soon', 1)]);
  expect(woken).toEqual(['soon at 1', 'as soon at 1', 'late at 3600000']);
});

test('reading a file takes no time of an instant clock, however long it takes', async () => {
  const clock = instantClock(0);
  const stop = new AbortController();
  const ticking = (async () => {
    while (!stop.signal.aborted) await clock.sleep(1_000);
  })();
  await clock.sleep(1);
  const began = clock.now();
  for (let file = 0; file < 20; file++) await readFile(import.meta.filename);
  expect((clock.now() - began) / 20).toBeLessThanOrEqual(1_000);
  stop.abort();
  await ticking;
});
