import { expect, test } from 'vitest';
import { aNode } from '#lib/checks/testing/a-facts.ts';
import { type NodeTest, nodeTestIds } from '#lib/spec/index.ts';
import { aWizardContext } from '../testing/a-wizard-context.ts';
import { foundRows } from './found-rows.ts';
import { readyState } from './ready-state.ts';

type Given = NonNullable<Parameters<typeof aWizardContext>[0]>;

const node = aNode({ name: 'worker-1' });
const passed = Object.fromEntries(nodeTestIds.map((id) => [id, { kind: 'passed' as const }])) as Record<
  NodeTest,
  { kind: 'passed' }
>;
const measured: NonNullable<Given['facts']> = {
  nodes: [node],
  measured: { endpoint: { host: '10.0.0.100', port: '6443' }, nodes: [{ node: 'worker-1', ms: 1, tests: passed }] },
};
const oneOfThree = { apiServers: ['10.0.0.100:6443', '10.0.0.2:6443', '10.0.0.3:6443'] };

test.each<[string, Given, string]>([
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

test('each row says what shows that it holds, worst first, and where it is changed', () => {
  const rows = (given: Given) => foundRows(aWizardContext(given));
  const kernel = (given: Given) => rows(given).find(({ what }) => what === 'Kernel')?.proof?.state;
  expect(kernel({ facts: measured })).toBe('ok');
  expect(kernel({})).toBe('unknown');
  expect(kernel({ facts: { nodes: [aNode({ name: 'worker-1', kernel: '4.15.0' })] } })).toBe('bad');
  expect(
    rows({})
      .filter(({ change }) => change !== null)
      .map(({ change }) => change),
  ).toEqual(['platform', 'endpoint', 'proxy', 'options']);
});
