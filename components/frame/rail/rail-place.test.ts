import { expect, test } from 'vitest';
import { railPlace } from './rail-place.ts';

const links = ['/clusters/a', '/clusters/a/findings', '/clusters/a/runs', '/clusters/a/flows'];

test.each([
  ['/clusters/a', { at: 0, is: 'page' }],
  ['/clusters/a/runs', { at: 2, is: 'page' }],
  ['/clusters/a/runs/20260101-0000-abcd', { at: 2, is: 'true' }],
  ['/clusters/a/runs/20260101-0000-abcd/report', { at: 2, is: 'true' }],
  ['/clusters/a/runs/20260101-0000-abcd/look-through', { at: 2, is: 'true' }],
  ['/clusters/a/runs/20260101-0000-abcd/ready', { at: 0, is: 'true' }],
  ['/clusters/a/runs/20260101-0000-abcd/review', { at: 0, is: 'true' }],
  ['/clusters/b', null],
] as const)('%s', (path, place) => {
  expect(railPlace(path, links)).toEqual(place);
});
