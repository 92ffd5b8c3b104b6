import { expect, test } from 'vitest';
import { groupSaid, stepsSaid } from './steps-said.ts';

type State = Parameters<typeof stepsSaid>[0][number]['state'];

const lines = (states: readonly State[]) => states.map((state) => ({ state, effect: 'writes' }));

test.each<[string, State[], string, string]>([
  ['nothing begun', ['ahead', 'ahead'], '0 of 2 done', 'ahead'],
  ['all done', ['already-done', 'finished'], '2 of 2 done', 'done'],
  ['partly finished, of a stopped run', ['finished', 'ahead', 'ahead'], '1 of 3 done', '1 of 3 done'],
  ['all taken back', ['undone', 'undone'], '2 of 2 taken back', 'taken back'],
  ['taken back as far as it had come', ['already-done', 'undone', 'ahead'], '1 of 1 taken back', 'taken back'],
  ['partly taken back', ['finished', 'undone', 'undone'], '2 of 3 taken back', '2 of 3 taken back'],
  ['half a step of the way back', ['finished', 'undoing'], '0 of 2 taken back', '0 of 2 taken back'],
])('%s', (_what, states, run, group) => {
  expect([stepsSaid(lines(states), { kind: 'running' }), groupSaid(lines(states))]).toEqual([run, group]);
});

test('what only looked has nothing to take back', () => {
  const looked = { state: 'finished', effect: 'none' } as const;
  expect(stepsSaid([...lines(['undone', 'undone']), looked], { kind: 'running' })).toBe('2 of 2 taken back');
});

test('once all is taken back no step is missing: what another took with it is not counted', () => {
  expect(stepsSaid(lines(['finished', 'undone', 'undone']), { kind: 'undone' })).toBe('2 taken back');
});
