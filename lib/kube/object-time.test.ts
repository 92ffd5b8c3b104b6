import { expect, test } from 'vitest';
import { objectTime } from './object-time.ts';

test.each([
  [0, '1970-01-01T00:00:00Z'],
  [1_999, '1970-01-01T00:00:01Z'],
  [-1, '1969-12-31T23:59:59Z'],
])('%d ms are in an object as %s', (ms, time) => {
  expect(objectTime(ms)).toBe(time);
});
