import { expect, test } from 'vitest';
import { interfacePattern } from './interface-pattern.ts';

test.each([
  ['^eth.*', 'usable'],
  ['^((en|wl|ww|sl|ib)[Popsx].*|(eth|wlan|wwan|bond).*)', 'usable'],
  ['^(eth', 'broken'],
  ['[', 'broken'],
  [7, 'broken'],
  ['(a+)+$', 'too-involved'],
  ['(.*)*x', 'too-involved'],
  ['.*.*.*.*.*.*.*.*.*.*.*x', 'too-involved'],
  ['e'.repeat(1000), 'too-involved'],
])('%s is %s', (value, kind) => {
  expect(interfacePattern(value).kind).toBe(kind);
});
