import { expect, test } from 'vitest';
import { afterKey, chosenOf, rangeBetween, rangeOf, rangeOfDrag, windowOfSteps } from './brush.ts';

const steps = { since: 1_000_000, stepSeconds: 15, count: 60 };

test.each([
  [null, null],
  [
    [0, 900],
    [0, 60],
  ],
  [
    [15, 30],
    [1, 2],
  ],
  // A step that is touched is chosen.
  [
    [16, 31],
    [1, 3],
  ],
  [
    [-500, 40],
    [0, 3],
  ],
  [
    [880, 5000],
    [58, 60],
  ],
  [[900, 960], null],
  [[-60, 0], null],
])('a window of %j s of the chart chooses the steps %j', (window, expected) => {
  const asked = window && { since: steps.since + (window[0] ?? 0), until: steps.since + (window[1] ?? 0) };
  const chosen = chosenOf(asked, steps);
  expect(chosen && [chosen.first, chosen.last]).toEqual(expected);
});

test('steps are a window and back', () => {
  const chosen = { first: 7, last: 9 };
  expect(windowOfSteps(chosen, steps)).toEqual({ since: 1_000_105, until: 1_000_135 });
  expect(chosenOf(windowOfSteps(chosen, steps), steps)).toEqual(chosen);
});

test.each([
  [10, 20, [10, 20]],
  [20, 10, [10, 20]],
  [10, 10, [10, 11]],
  [60, 60, [59, 60]],
  [-3, 70, [0, 60]],
])('from line %i to line %i: %j', (one, other, [first, last]) => {
  expect(rangeBetween(one, other, steps)).toEqual({ first, last });
});

test.each([
  [0.5, 0.5, [30, 31]],
  [0.49, 0.51, [29, 31]],
  [0.51, 0.49, [29, 31]],
  [-1, 2, [0, 60]],
  [1, 1, [59, 60]],
])('drawn from %d to %d of the width: %j', (from, to, [first, last]) => {
  expect(rangeOfDrag(from, to, steps)).toEqual({ first, last });
});

test.each([
  ['ArrowLeft', 'first', [9, 20]],
  ['ArrowRight', 'first', [11, 20]],
  ['PageUp', 'first', [19, 20]],
  ['End', 'first', [19, 20]],
  ['Home', 'first', [0, 20]],
  ['ArrowRight', 'last', [10, 21]],
  ['PageDown', 'last', [10, 11]],
  ['End', 'last', [10, 60]],
  ['Home', 'last', [10, 11]],
  ['Enter', 'last', null],
] as const)('%s on the edge %s: %j', (key, edge, expected) => {
  const moved = afterKey(key, edge, { first: 10, last: 20 }, steps);
  expect(moved && [moved.first, moved.last]).toEqual(expected);
});

test.each([
  ['no window', null, [-900, 0]],
  ['a window in sight', [-300, -60], [-900, 0]],
  ['a window before it, in the middle', [-7200, -7140], [-7620, -6720]],
  ['a window near now', [-1000, -880], [-1390, -490]],
  ['a window at the end', [-1000, 0], [-1000, 0]],
  ['a window that is longer', [-9000, -1800], [-9000, -1800]],
])('a chart of a quarter of an hour shows %s', (_what, window, [since, until]) => {
  const now = 1_000_000;
  const asked = window && { since: now + (window[0] ?? 0), until: now + (window[1] ?? 0) };
  expect(rangeOf(900, asked, now)).toEqual({ since: now + (since ?? 0), until: now + (until ?? 0) });
});
