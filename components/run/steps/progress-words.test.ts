import { expect, test } from 'vitest';
import { groupProgressWords, progressWords, timeLeft } from './progress-words.ts';

type State = Parameters<typeof progressWords>[0][number]['state'];

const lines = (states: readonly State[]) => states.map((state) => ({ state, effect: 'writes' }));

test.each<[string, State[], string, string]>([
  ['nothing begun', ['ahead', 'ahead'], '0 of 2 done', 'ahead'],
  ['all done', ['already-done', 'finished'], '2 of 2 done', 'done'],
  ['partly finished, of a stopped run', ['finished', 'ahead', 'ahead'], '1 of 3 done', '1 of 3 done'],
  ['all undone', ['undone', 'undone'], '2 of 2 undone', 'undone'],
  ['undone as far as it had come', ['already-done', 'undone', 'ahead'], '1 of 1 undone', 'undone'],
  ['partly undone', ['finished', 'undone', 'undone'], '2 of 3 undone', '2 of 3 undone'],
  ['half a step of the way back', ['finished', 'undoing'], '0 of 2 undone', '0 of 2 undone'],
])('%s', (_what, states, run, group) => {
  expect([progressWords(lines(states), { kind: 'running' }), groupProgressWords(lines(states))]).toEqual([run, group]);
});

test('what only looked has nothing to undo', () => {
  const looked = { state: 'finished', effect: 'none' } as const;
  expect(progressWords([...lines(['undone', 'undone']), looked], { kind: 'running' })).toBe('2 of 2 undone');
});

test('once all is undone no step is missing: what another took with it is not counted', () => {
  expect(progressWords(lines(['finished', 'undone', 'undone']), { kind: 'undone' })).toBe('2 undone');
});

test.each<[string, State[], string]>([
  ['under way: what is begun and what is ahead', ['finished', 'begun', 'ahead'], ' · about 3 m 10 s left'],
  ['all done', ['finished', 'finished', 'already-done'], ''],
  ['on the way back', ['undone', 'undoing', 'ahead'], ''],
])('time left, %s', (_what, states, expected) => {
  const numbered = states.map((state, index) => ({ seq: index + 1, state }));
  expect(timeLeft(numbered, { 1: 60, 2: 180, 3: 10 })).toBe(expected);
});
