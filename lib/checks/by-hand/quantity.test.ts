import { expect, test } from 'vitest';
import { quantity } from './quantity.ts';

test.each<[unknown, unknown]>([
  ['1000m', 1],
  ['0.25', '250m'],
  ['1Gi', '1024Mi'],
  ['1e3', '1k'],
  [2, '2'],
])('%s and %s are one quantity', (one, other) => {
  expect(quantity(one)).toBe(quantity(other));
  expect(quantity(one)).not.toBeNull();
});

test.each([['1Kb'], [''], ['v1'], [null], [true], ['1e3Ki']])('%s is none', (value) => {
  expect(quantity(value)).toBeNull();
});

test('digits without end are no quantity, and are looked through once', () => {
  const began = process.cpuUsage();
  expect(quantity(`${'0'.repeat(100_000)}x`)).toBeNull();
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(1_000);
});
