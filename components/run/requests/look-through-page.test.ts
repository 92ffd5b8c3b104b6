import { expect, test } from 'vitest';
import { lookThroughPage } from './look-through-page.ts';

const at = (
  action: 'pause' | 'resume' | 'stop' | 'undo' | 'take-over',
  isForeign: boolean,
  carriedBy: 'us' | 'other' | 'nobody',
) => lookThroughPage({ cluster: 'c-1', run: 'r-1', action, isForeign, carriedBy });

test.each([
  ['resume', true, 'nobody', '/clusters/c-1/runs/r-1/look-through?to=resume'],
  ['take-over', true, 'nobody', '/clusters/c-1/runs/r-1/look-through?to=resume'],
  ['undo', true, 'nobody', '/clusters/c-1/runs/r-1/look-through?to=undo'],
  ['stop', true, 'nobody', null],
  ['undo', true, 'other', null],
  ['resume', false, 'nobody', null],
] as const)('%s of a run (foreign: %s) that is carried by %s: %s', (action, isForeign, carriedBy, page) => {
  expect(at(action, isForeign, carriedBy)).toBe(page);
});
