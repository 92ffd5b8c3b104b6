import { expect, test } from 'vitest';
import { addressWithStep, stepInQuery } from './step-address.ts';

const run = '/clusters/standard-1a2b3c4d/runs/20261123-2021-5a02';

test.each([
  [run, '', '#step-4', '?step=4#step-4'],
  [run, '?step=4', '#step-4', null],
  [run, '', '', null],
  [run, '', '#main', null],
  [run, '', '#step-0', null],
  [`${run}/report`, '', '#step-4', null],
  ['/reference/gates', '', '#step-4', null],
])('%s%s%s leads on to %s', (pathname, search, hash, leads) => {
  expect(addressWithStep({ pathname, search, hash })).toBe(leads);
});

test.each([
  ['?step=4', 4],
  ['', null],
  ['?step=all', null],
  ['?step=-1', null],
])('%s names step %s', (search, seq) => {
  expect(stepInQuery(search)).toBe(seq);
});
