import { expect, test } from 'vitest';
import { aNode } from '#lib/checks/testing/a-facts.ts';
import { aWizardContext } from '../testing/a-wizard-context.ts';
import { type ContextFields, measured, oneOfThree } from '../testing/measured.ts';
import { readyState } from './ready-state.ts';

test.each<[string, ContextFields, string]>([
  ['healthy and measured', { facts: measured }, 'ready'],
  ['healthy, and nobody looked at the nodes', {}, 'open'],
  ['an address that may go', { facts: { ...measured, endpoint: oneOfThree } }, 'open'],
  [
    'the same, accepted',
    { facts: { ...measured, endpoint: oneOfThree }, choices: { acknowledge: { 'endpoint.stable': 'it stays' } } },
    'ready',
  ],
  ['a kernel that is too old', { facts: { nodes: [aNode({ name: 'worker-1', kernel: '4.15.0' })] } }, 'blocked'],
  ['a goal that cannot be planned', { facts: measured, choices: { goal: 'upgrade' } }, 'unplanned'],
])('%s', (_name, given, verdict) => {
  expect(readyState(aWizardContext(given)).verdict).toBe(verdict);
});

test('what nobody measured is one card, and no question', () => {
  const { unmeasured, questions } = readyState(aWizardContext());
  expect([unmeasured.length > 3, questions]).toEqual([true, []]);
});
