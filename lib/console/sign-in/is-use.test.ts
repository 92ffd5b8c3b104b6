import { expect, test } from 'vitest';
import { isUse } from './is-use.ts';

test.each([
  ['a page that is opened', 'GET', '/clusters/a/runs/b', 'page', true],
  ['an action', 'POST', '/clusters/a', 'page', true],
  ['a page in front of somebody', 'POST', '/seen', 'page', true],
  ['a stream that comes back', 'GET', '/api/clusters/a/events', 'page', false],
  ['a page that draws itself anew', 'GET', '/clusters/a?_rsc=x', 'router', false],
  ['its scripts', 'GET', '/_next/static/a.js', 'page', false],
  ['a question about a page', 'HEAD', '/', 'page', false],
] as const)('%s: %s %s by the %s: %s', (_, method, target, by, expected) => {
  expect(isUse({ method, target, isRouter: by === 'router' })).toBe(expected);
});
