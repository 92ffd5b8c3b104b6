import { expect, test } from 'vitest';
import { KnownKeys } from './known-keys.ts';

/** Keys that all share one slot. */
const crowded = (index: number) => (BigInt(index) << 32n) + 7n;

test('a key is new once, whichever share its slot', () => {
  const known = new KnownKeys();
  const keys = Array.from({ length: 100 }, (_, index) => crowded(index + 1));
  expect(keys.map((key) => known.add(key))).toEqual(keys.map(() => true));
  expect(keys.map((key) => known.add(key))).toEqual(keys.map(() => false));
  known.clear();
  expect(known.add(crowded(1))).toBe(true);
});

test('it forgets all rather than to grow, and only where it is told that nobody is at work', () => {
  const known = new KnownKeys();
  for (let index = 1; index <= 3 << 19; index++) known.add(BigInt(index));
  expect([known.add(1n), known.add(1n << 40n), known.add(1n << 40n)]).toEqual([false, true, false]);
  known.makeRoom();
  expect([known.add(1n), known.add(1n)]).toEqual([true, false]);
  known.makeRoom();
  expect(known.add(1n)).toBe(false);
});

test('zero is looked for each time', () => {
  const known = new KnownKeys();
  expect([known.add(0n), known.add(0n)]).toEqual([true, true]);
});
