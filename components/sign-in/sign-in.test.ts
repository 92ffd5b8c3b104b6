import { expect, test } from 'vitest';
import { holdsKey, keyFromLink } from './key-from-link.ts';
import { safeReturnPath } from './safe-return-path.ts';

const key = 'AbC-_0123456789AbC-_0123456789AbC-_01234567';

test.each([
  [`#key=${key}`, key],
  [`http://127.0.0.1:3000/sign-in#key=${key}`, key],
  [`  http://127.0.0.1:3000/sign-in?to=%2Fx#key=${key}\n`, key],
  [key, key],
  ['', null],
  ['#key=', null],
  ['#key=short', null],
  [`#other=${key}`, null],
  ['http://127.0.0.1:3000/sign-in', null],
])('%j: %s', (text, expected) => {
  expect(keyFromLink(text)).toBe(expected);
});

test('a broken key is one, and a part of a page is none', () => {
  expect(['#key=', '#key=short', `#KEY=${key}`, `#key%3D${key}`].every(holdsKey)).toBe(true);
  expect(['', '#step-8', '#finding-node.kernel'].some(holdsKey)).toBe(false);
});

test.each([
  ['/clusters/a?x=1&y=2', '/clusters/a?x=1&y=2'],
  ['/', '/'],
  [undefined, '/'],
  [['/a', '/b'], '/'],
  ['', '/'],
  ['clusters', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/a\\b', '/'],
  ['http://evil.example/', '/'],
  ['javascript:alert(1)', '/'],
  ['/\t/evil.example', '/'],
  ['/sign-in?to=/sign-in', '/'],
  ['/sign-out', '/'],
  ['/api/clusters/a/events', '/'],
  ['/sign-inner', '/sign-inner'],
  [`/${'a'.repeat(1000)}`, '/'],
])('a sign-in with %j leads to %s', (to, expected) => {
  expect(safeReturnPath(to)).toBe(expected);
});
