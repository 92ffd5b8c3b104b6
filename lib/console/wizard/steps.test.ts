import { expect, test } from 'vitest';
import { type Choices, choicesSchema } from '#lib/spec/index.ts';
import type { StepId } from './answers.ts';
import { draftPath } from './steps.ts';

test.each<[string, Partial<Choices>, StepId[], string]>([
  ['accepted proposals', { goal: 'enable', acceptProposals: true }, [], 'ready'],
  ['accepted proposals, one of them changed', { goal: 'enable', acceptProposals: true }, ['options'], 'ready'],
  ['accepted proposals, step by step', { goal: 'enable', acceptProposals: true }, ['goal', 'platform'], 'endpoint'],
  ['an installation', { goal: 'install', acceptProposals: true }, [], 'ready'],
  ['the way out of an outage', { goal: 'restore', acceptProposals: true }, [], 'review'],
  ['the same, step by step', { goal: 'restore' }, ['goal'], 'compatibility'],
  ['step by step', { goal: 'enable' }, ['goal', 'platform'], 'endpoint'],
  ['with every step answered', { goal: 'restore' }, ['goal', 'compatibility', 'review', 'run'], 'review'],
])('a draft goes on: %s', (_name, answers, answered, page) => {
  const draft = { cluster: 'prod-00000001', id: 'draft-1', answers: choicesSchema.parse(answers), answered };
  expect(draftPath(draft)).toBe(`/clusters/prod-00000001/runs/draft-1/${page}`);
});
