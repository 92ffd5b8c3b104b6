import { expect, test } from 'vitest';
import { barsOf, sumsOf } from './bars.ts';

const step = (allowed: number, denied = 0, bytes = 0) => ({ allowed, denied, bytes });
const room = { above: 50, below: 25 };

test.each([
  ['the tallest fills its side', [step(100), step(50)], [50, 0, 25, 0]],
  ['both sides have one scale', [step(100, 10)], [50, 5]],
  ['what is denied has less room, and sets the scale', [step(100, 100)], [25, 25]],
  ['one among thousands is seen', [step(10_000, 1)], [50, 1.5]],
  ['none is none', [step(0, 0)], [0, 0]],
])('%s', (_what, steps, expected) => {
  expect(barsOf(steps, 'flows', room).bars.flatMap(({ above, below }) => [above, below])).toEqual(expected);
});

test('what was not recorded is a gap and no bar', () => {
  const { bars, gaps } = barsOf([null, null, step(0), null, step(3)], 'flows', room);
  expect(gaps).toEqual([
    { before: 0, length: 2 },
    { before: 3, length: 1 },
  ]);
  expect(bars.map(({ before }) => before)).toEqual([2, 4]);
});

test('bytes stand above the axis', () => {
  expect(barsOf([step(1, 1, 200), step(1, 1, 100)], 'bytes', room).bars).toEqual([
    { before: 0, above: 50, below: 0 },
    { before: 1, above: 25, below: 0 },
  ]);
});

test('sums leave gaps out and count them', () => {
  expect(sumsOf([step(1, 2, 3), null, step(4, 5, 6)])).toEqual({ allowed: 5, denied: 7, bytes: 9, gaps: 1 });
});
