import { expect, test } from 'vitest';
import { addressWithOpened, stepInQuery } from './opened-in-address.ts';

const cluster = '/clusters/standard-1a2b3c4d';
const run = `${cluster}/runs/20261123-2021-5a02`;

test.each([
  [run, '', '#step-4', '?step=4#step-4'],
  [run, '?step=3', '#step-4', '?step=4#step-4'],
  [run, '?step=4', '#step-4', null],
  [run, '', '', null],
  [run, '', '#main', null],
  [run, '', '#step-0', null],
  [`${run}/report`, '', '#step-4', null],
  [`${cluster}/findings`, '', '#finding-node.kernel', '?finding=node.kernel#finding-node.kernel'],
  [`${cluster}/findings`, '?q=a+b', '#finding-node.kernel', '?q=a+b&finding=node.kernel#finding-node.kernel'],
  [`${cluster}/findings`, '?finding=node.kernel', '#finding-node.kernel', null],
  [`${cluster}/runs/draft-1/compatibility`, '', '#finding-node.kernel', '?finding=node.kernel#finding-node.kernel'],
  [`${cluster}/findings`, '', '#finding-"><script>', null],
  ['/reference/platforms', '', '#gke', '?record=gke#gke'],
  ['/reference', '', '#gke', null],
])('%s%s%s leads on to %s', (pathname, search, hash, leads) => {
  expect(addressWithOpened({ pathname, search, hash })).toBe(leads);
});

test.each([
  ['?step=4', 4],
  ['', null],
  ['?step=all', null],
  ['?step=-1', null],
])('%s names step %s', (search, seq) => {
  expect(stepInQuery(search)).toBe(seq);
});
