import { expect, test } from 'vitest';
import { proposedRelease } from './proposed-release.ts';

test.each([
  ['v3.15.0', 'v3.31.7'],
  ['v3.24.5', 'v3.31.7'],
  ['v3.31.4', 'v3.31.7'],
  ['v3.31.7', null],
  ['v3.32.0', 'v3.32.1'],
  // v3.32.3 and v3.33.1 are known, and their files cannot be verified.
  ['v3.32.1', null],
  ['v3.33.0', null],
  ['v3.40.0', null],
  ['master', null],
  ['', null],
])('from %s to %s', (running, expected) => {
  expect(proposedRelease(running)).toBe(expected);
});
