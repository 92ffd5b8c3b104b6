import { expect, test } from 'vitest';
import { calicoMinorOfOperator, calicoOfOperator } from './releases.ts';

test.each([
  ['v1.40.7', 'v3.31.4', '3.31'],
  ['1.40.12', 'v3.31.5', '3.31'],
  ['v1.38.16', 'v3.30.7', '3.30'],
  ['v1.38.13', 'v3.30.7', '3.30'],
  ['v1.32.12', 'v3.27.5', '3.27'],
  ['v1.38.5', null, '3.30'],
  ['v1.41.0', null, null],
  ['latest', null, null],
])('operator %s installs %s', (operator, calico, minor) => {
  expect(calicoOfOperator(operator)).toBe(calico);
  expect(calicoMinorOfOperator(operator)).toBe(minor);
});
