import { expect, test } from 'vitest';
import { interfacePattern } from './interface-pattern.ts';

test.each([
  ['^eth.*', ['eth0'], ['en0']],
  ['^((en|wl|ww|sl|ib)[Popsx].*|(eth|wlan|wwan|bond).*)', ['eno1', 'bond0'], ['tunl0', 'ena']],
  ['^(?:en|eth)[0-9a-z]*(?:\\.[0-9]+)?$', ['eth0', 'eth0.4'], ['eth0.']],
  ['(?i)^ETH', ['eth0'], ['lo']],
  ['eth0', ['veth0'], ['eth1']],
  ['\\Aeth\\d\\z', ['eth0'], ['eth10']],
])('%s is read as Go reads it', (value, matched, others) => {
  const pattern = interfacePattern(value);
  if (pattern.kind !== 'usable') expect.unreachable(pattern.because);
  expect([...matched, ...others].filter(pattern.matches)).toEqual(matched);
});

test.each(['^(eth', '[', 'en)|eth', '(?=eth)', '(e)\\1', 7, 'e'.repeat(100_000)])('%s is broken', (value) => {
  expect(interfacePattern(value).kind).toBe('broken');
});

/** Each of them kept JavaScript's own expressions busy for minutes, and for ever with a longer name. */
test.each([
  '(a+)+$',
  '(.*)*x',
  '.*.*.*.*.*.*.*.*.*.*.*x',
  '(?:.|.|.|.|.|.|.|.)*!',
  `${'.?'.repeat(100)}!`,
  `${'(|)'.repeat(90)}!`,
  `${'(a|b)'.repeat(17)}!`,
  `${'(.*.*.*[\\])]|x)'.repeat(3)}!`,
])('%s takes no time worth mentioning', (value) => {
  const pattern = interfacePattern(value);
  if (pattern.kind !== 'usable') expect.unreachable(pattern.because);
  const before = process.cpuUsage().user;
  expect(pattern.matches('a'.repeat(14))).toBe(/a/.test(value) && !/[!x]/.test(value));
  expect(process.cpuUsage().user - before).toBeLessThan(1_000_000);
});

test('a name that is longer than any of an interface matches nothing, and is not searched', () => {
  const pattern = interfacePattern('.*.*.*.*!');
  expect(pattern.kind === 'usable' && pattern.matches('eth0!')).toBe(true);
  expect(pattern.kind === 'usable' && pattern.matches(`${'a'.repeat(63)}!`)).toBe(false);
});
