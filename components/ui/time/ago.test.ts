import { expect, test } from 'vitest';
import { ago } from './ago.ts';

test.each([
  [0, 'just now'],
  [12, '12 s ago'],
  [59, '59 s ago'],
  [60, '1 minute ago'],
  [150, '2 minutes ago'],
  [3_600, '1 hour ago'],
  [200_000, '2 days ago'],
  [-30, 'in 30 s'],
])('%d s back is told as %s', (seconds, words) => {
  expect(ago(0, seconds * 1000)).toBe(words);
});

test('a time that cannot be read is not told as fine', () => {
  expect(ago(Date.parse('soon'), 0)).toBe('at an unknown time');
});
