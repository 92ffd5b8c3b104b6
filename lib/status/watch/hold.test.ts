import { expect, test } from 'vitest';
import { type Clock, systemClock } from '#lib/kube/index.ts';
import { Hold } from './hold.ts';

/** A hold whose waits end only when the test calls `pass` with their number. */
function byHand() {
  const turns: (() => void)[] = [];
  const pace: Clock = { ...systemClock, sleep: () => new Promise<void>((resolve) => turns.push(resolve)) };
  let over = 0;
  const hold = new Hold(2_000, pace, new AbortController().signal, () => over++);
  const pass = async (turn: number) => {
    turns[turn]?.();
    await new Promise((resolve) => setImmediate(resolve));
    return over;
  };
  return { hold, pass, turns };
}

test('its time ends it, once', async () => {
  const { hold, pass, turns } = byHand();
  hold.begin();
  hold.begin();
  expect([hold.isOn, turns.length]).toEqual([true, 1]);
  expect(await pass(0)).toBe(1);
  expect(hold.isOn).toBe(false);
});

test('the time of one that was let go ends no later one', async () => {
  const { hold, pass } = byHand();
  hold.begin();
  hold.end();
  hold.begin();
  expect(await pass(0)).toBe(0);
  expect(hold.isOn).toBe(true);
  expect(await pass(1)).toBe(1);
  expect(hold.isOn).toBe(false);
});

test('once its time is over nothing is held again before what was held is told, however often it is asked to', async () => {
  const { hold, pass, turns } = byHand();
  hold.begin();
  await pass(0);
  hold.begin();
  expect([hold.isOn, turns.length]).toEqual([false, 1]);
  hold.end();
  hold.begin();
  expect(hold.isOn).toBe(true);
});
