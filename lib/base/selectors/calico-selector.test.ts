import { expect, test } from 'vitest';
import { calicoSelector } from './calico-selector.ts';

const labels = { role: 'db', 'a.b/c': 'x-1' };

test.each<[string, boolean | null]>([
  ['', true],
  ['all()', true],
  ['global()', true],
  ['has(role)', true],
  ['!has(role)', false],
  ['has(other)', false],
  ["role == 'db'", true],
  ['role == "web"', false],
  ["other == ''", false],
  ["other != 'x'", true],
  ['role in {"db", \'web\',}', true],
  ['role in {}', false],
  ['role not in {"db"}', false],
  ['other not in {"db"}', true],
  ['role notin {"web"}', true],
  ["a.b/c contains '-'", true],
  ["a.b/c starts with 'x'", true],
  ["a.b/c endswith '2'", false],
  ["has(other) || role == 'db' && has(a.b/c)", true],
  ["(has(other) || role == 'db') && has(other)", false],
  ["!(role == 'db') || !!has(role)", true],
  ['has(in) || in == "x"', false],
  ['role = "db"', null],
  ['role == db', null],
  ['role in {"db" "web"}', null],
  ['has(role) has(role)', null],
  ['(has(role)', null],
  ['has(role) &&', null],
  ['nonsense()', null],
  [`${'('.repeat(60)}has(role)${')'.repeat(60)}`, true],
  [`${'('.repeat(64)}has(role)${')'.repeat(64)}`, null],
  [`${'('.repeat(3000)}has(role)${')'.repeat(3000)}`, null],
  [`${'!'.repeat(20_000)}has(role)`, null],
  [`role in {${'"db",'.repeat(1000)}}`, null],
])('%.60s', (selector, expected) => {
  const matches = calicoSelector(selector);
  expect(matches === null ? null : matches(labels)).toBe(expected);
});
