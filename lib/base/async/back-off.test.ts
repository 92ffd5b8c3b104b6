import { expect, test } from 'vitest';
import { backOffMs } from './back-off.ts';

const limits = { firstMs: 1_000, mostMs: 30_000 };

test.each([
  [0, 1_000],
  [1, 2_000],
  [4, 16_000],
  [5, 30_000],
  [10_000, 30_000],
])('after %d failures it is %d ms at the most, and none at the least', (failed, most) => {
  expect(backOffMs(failed, limits, () => 1)).toBe(most);
  expect(backOffMs(failed, limits, () => 0)).toBe(0);
  expect(backOffMs(failed, { ...limits, least: 0.5 }, () => 0)).toBe(most / 2);
});
