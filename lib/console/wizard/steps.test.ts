import { expect, test } from 'vitest';
import { type Choices, choicesSchema } from '#lib/spec/index.ts';
import type { StepId } from './answers.ts';
import { draftPath, isAskedBy, neighbours, stepIdsOf } from './steps.ts';

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

test('an installation asks for the data plane before the address and the proxy, and shows the custom resources once all that they hold is answered', () => {
  const ids = stepIdsOf({ goal: 'install' });
  const isBefore = (one: StepId, other: StepId) => ids.indexOf(one) < ids.indexOf(other);
  for (const [one, other] of [
    ['options', 'endpoint'],
    ['options', 'proxy'],
    ['release', 'endpoint'],
    ['endpoint', 'resources'],
    ['proxy', 'resources'],
    ['options', 'resources'],
  ] as const)
    expect([one, other, isBefore(one, other)]).toEqual([one, other, true]);
  expect(neighbours('options', { goal: 'install' })).toEqual({ back: 'release', next: 'endpoint' });
  expect(neighbours('options', { goal: 'enable' })).toEqual({ back: 'proxy', next: 'compatibility' });
});

test('without eBPF neither is asked, but an address that was chosen can be changed', () => {
  const standard = { goal: 'install', dataplane: 'Iptables' } as const;
  expect(stepIdsOf(standard)).not.toContain('endpoint');
  expect(stepIdsOf(standard)).not.toContain('proxy');
  expect(neighbours('options', standard)).toEqual({ back: 'release', next: 'resources' });
  expect(stepIdsOf({ ...standard, endpoint: { host: '10.0.0.100', port: '6443' } })).toContain('endpoint');
});

test('automatic mode that an earlier version left with the standard data plane can be changed where it was chosen', () => {
  const refused = { goal: 'install', dataplane: 'Iptables', automatic: true } as const;
  expect(stepIdsOf(refused)).toEqual(stepIdsOf({ goal: 'install' }));
});

test.each<[StepId, Parameters<typeof neighbours>[1], ReturnType<typeof neighbours>]>([
  ['endpoint', { goal: 'install', dataplane: 'Iptables' }, { back: 'options', next: 'resources' }],
  ['proxy', { goal: 'install', dataplane: 'Iptables' }, { back: 'options', next: 'resources' }],
  ['changes', { goal: 'install' }, { back: 'resources', next: 'compatibility' }],
  ['resources', { goal: 'enable' }, { back: 'proxy', next: 'options' }],
  ['endpoint', { goal: 'upgrade' }, { back: 'goal', next: 'release' }],
  ['goal', { goal: 'policy' }, { back: null, next: 'compatibility' }],
  ['goal', { goal: 'install' }, { back: null, next: 'platform' }],
  ['run', { goal: 'install' }, { back: 'review', next: null }],
])('from %s, asked or not, of %j', (step, answers, around) => {
  expect(neighbours(step, answers)).toEqual(around);
});

test.each<[StepId, StepId, Choices['goal'], boolean]>([
  ['options', 'endpoint', 'install', true],
  ['options', 'endpoint', 'enable', false],
  ['resources', 'resources', 'install', true],
  ['changes', 'goal', 'install', false],
  ['changes', 'compatibility', 'install', true],
  ['goal', 'afterwards', 'install', true],
  ['endpoint', 'goal', 'upgrade', false],
])('%s is asked by the time of %s, of %s: %j', (step, now, goal, expected) => {
  expect(isAskedBy(step, now, { goal })).toBe(expected);
});
