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
  ['(?:.|.|.|.|.|.|.|.)*!', 'too-involved'],
  [`${'.?'.repeat(100)}!`, 'too-involved'],
  [`${'(|)'.repeat(90)}!`, 'too-involved'],
  [`${'(a|b)'.repeat(3)}${'.*'.repeat(5)}!`, 'too-involved'],
  ['^(?:en|eth|wl|wlan|ww|sl|ib|bond|br|team|vlan|tailscale)[0-9a-z]*(?:\\.[0-9]+)?$', 'usable'],
  ['^(en.*|eth.*|bond.*|team.*|ib.*|wl.*|ww.*|sl.*)$', 'usable'],
  ['^((en|wl|ww|sl|ib)[Popsx].*|(eth|wlan|wwan|bond).*)', 'usable'],
  [`(${'.*|'.repeat(4)}x)(${'.*'.repeat(6)}|y)!`, 'too-involved'],
  [`${'(a|b)'.repeat(17)}!`, 'too-involved'],
  [`${'(.*.*.*\\)|x)'.repeat(3)}!`, 'too-involved'],
  [`${'(.*.*.*[)]|x)'.repeat(3)}!`, 'too-involved'],
  [`${'(.*.*.*[\\])]|x)'.repeat(3)}!`, 'too-involved'],
  ['(en|eth', 'broken'],
  ['en)|eth', 'broken'],
  ['e'.repeat(1000), 'too-involved'],
])('%s is %s', (value, kind) => {
  expect(interfacePattern(value).kind).toBe(kind);
});

test('a name that is longer than any of an interface matches nothing, and is not searched', () => {
  const pattern = interfacePattern('.*.*.*.*!');
  expect(pattern.kind === 'usable' && pattern.matches('eth0!')).toBe(true);
  expect(pattern.kind === 'usable' && pattern.matches(`${'a'.repeat(63)}!`)).toBe(false);
});
