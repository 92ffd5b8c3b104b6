import { expect, test } from 'vitest';
import { lineWords } from './line-words.ts';

test.each([
  ['finished', 'met', 'moving', 'ok', 'finished'],
  ['finished', 'unknown', 'moving', 'unknown', 'not verified'],
  ['finished', 'acknowledged', 'moving', 'unknown', 'accepted, not verified'],
  ['begun', null, 'moving', 'now', 'under way'],
  ['begun', null, 'standing', 'warn', 'half-done'],
  ['undoing', null, 'standing', 'warn', 'half-done'],
] as const)('%s, its end %s, in a run that is %s: %s, %s', (state, outcome, pace, mark, word) => {
  expect(lineWords({ state, outcome }, pace)).toEqual({ state: mark, word });
});
