import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { instantClock, systemClock } from './clock.ts';

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

describe.each([
  ['instant', () => instantClock(0)],
  ['system', () => systemClock],
])('sleepers of one signal, %s clock', (_, clock) => {
  test('share one listener, which goes with the last of them', async () => {
    const { signal } = new AbortController();
    const sleeping = [1, 1, 2].map((ms) => clock().sleep(ms, signal));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await Promise.all(sleeping);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('reject with its reason, and one that comes afterwards does too', async () => {
    const abort = new AbortController();
    const reasons = Promise.allSettled([1, 2].map(() => clock().sleep(3_600_000, abort.signal)));
    abort.abort(new Error('enough'));
    const expected = { status: 'rejected', reason: new Error('enough') };
    expect(await reasons).toEqual([expected, expected]);
    await expect(clock().sleep(0, abort.signal)).rejects.toThrow('enough');
  });
});
