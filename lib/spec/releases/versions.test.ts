import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareNumbers, parseRelease, releaseAtLeast } from './versions.ts';

test.each([
  ['v3.31.4', [3, 31, 4]],
  ['1.40.7', [1, 40, 7]],
  ['24.04', [24, 4]],
  ['8', [8]],
  ['v3.32.0-0.dev-12-gabc', [3, 32, 0]],
  ['20.04.6 LTS', [20, 4, 6]],
])('%s is read as %j', (text, expected) => {
  expect(parseRelease(text)).toEqual(expected);
});

test.each(['', 'latest', 'sha256:abc', 'v', '3.', 'trixie/sid', 'v3.31.4_custom'])(
  '"%s" is no release number',
  (text) => {
    expect(parseRelease(text)).toBeNull();
  },
);

test.each([
  ['20.04', '20.04', 'yes'],
  ['18.04', '20.04', 'no'],
  ['8.10', '8.2', 'yes'],
  ['8.1', '8.2', 'no'],
  ['8', '8.2', 'undecided'],
  ['9', '8.2', 'yes'],
  ['7', '8.2', 'no'],
  ['rolling', '8.2', 'undecided'],
  ['v3.31.4', 'v3.30.0', 'yes'],
])('%s is at least %s: %s', (text, floor, expected) => {
  expect(releaseAtLeast(text, floor)).toBe(expected);
});

const numbers = fc.array(fc.nat({ max: 9999 }), { minLength: 1, maxLength: 4 });

test('the order of releases is total: it never says that two are each newer than the other', () => {
  fc.assert(
    fc.property(numbers, numbers, (left, right) => {
      expect(Math.sign(compareNumbers(left, right))).toBe(-Math.sign(compareNumbers(right, left)) + 0);
    }),
  );
});
