import { expect, test } from 'vitest';
import { goPattern } from './go-pattern.ts';

test.each([
  ['^(?i)(Accept|Return)?$', 'accept', true],
  ['^(?i)(Accept|Return)?$', 'drop', false],
  ['^([a-zA-Z0-9-_]+=(true|false|),)*$', 'a-b_c=true,', true],
  ['b', 'abc', true],
  ['^.$', '😀', true],
])('%s finds in %s: %s', (pattern, text, found) => {
  expect(goPattern(pattern)?.test(text)).toBe(found);
});

test.each(['(', '(?<=a)b', '(a)\\1', 'a{1001}', '(((a{100}){100}){100})', '('.repeat(10_001)])('%s is none', (text) => {
  expect(goPattern(text)).toBeNull();
});

test("a long text is searched once, also with a pattern that is in Calico's own definitions", () => {
  const pattern = goPattern('^(([0-9]*(\\.[0-9]*)?(ms|s|h|m|us)+)+|Auto)$');
  const before = process.cpuUsage().user;
  expect(pattern?.test(`${'0'.repeat(100_000)}!`)).toBe(false);
  expect(process.cpuUsage().user - before).toBeLessThan(2_000_000);
});
