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
