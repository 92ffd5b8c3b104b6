import { expect, test } from 'vitest';
import { portOf } from './ports.ts';

test.each([
  ['1', 1],
  ['6443', 6443],
  ['65535', 65_535],
  ['0', null],
  ['65536', null],
  ['0443', null],
  ['+443', null],
  ['-1', null],
  ['443.0', null],
  ['1e3', null],
  [' 443', null],
  ['https', null],
  ['', null],
])('%j: %s', (text, port) => {
  expect(portOf(text)).toBe(port);
});
