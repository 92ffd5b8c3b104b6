import { expect, test } from 'vitest';
import type { UndoStep } from '#lib/plan/index.ts';
import { undoWords } from './undo.ts';

test.each<[string, UndoStep['effect'][], string]>([
  [
    'the way back from eBPF',
    ['traffic', 'none', 'traffic', 'control-plane'],
    'takes 4 steps, 2 of which touch traffic.',
  ],
  ['one of several', ['traffic', 'none'], 'takes 2 steps, 1 of which touches traffic.'],
  ['a policy and its log', ['none', 'none'], 'takes 2 steps, none of which touches traffic.'],
  ['flow logs', ['none'], 'takes 1 step, which does not touch traffic.'],
  ['kube-proxy', ['traffic'], 'takes 1 step, which touches traffic.'],
])('%s: the question of undo says what these steps touch, and claims no more', (_what, effects, words) => {
  expect(
    undoWords(
      'r',
      effects.map((effect) => ({ effect })),
    ),
  ).toBe(`Undoing run r ${words}`);
});

test('a run without a way back has nothing to undo', () => {
  expect(undoWords('r', [])).toBe('Run r has nothing to undo.');
});
