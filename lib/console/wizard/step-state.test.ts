import { expect, test } from 'vitest';
import { aNode } from '#lib/checks/testing/a-facts.ts';
import type { StepId } from './answers.ts';
import { findingsInState, openCounts } from './open-findings.ts';
import { type StepState, stepStates } from './step-state.ts';
import { aWizardContext } from './testing/a-wizard-context.ts';

type Given = Parameters<typeof aWizardContext>[0];

function stateOf(step: StepId, given: Given = {}): StepState {
  const context = aWizardContext(given);
  const state = stepStates(context.draft, context).find(({ id }) => id === step);
  if (!state) throw new Error(`no step ${step}`);
  return state;
}

const proposal = { host: 'api.example.com', port: 6443, because: 'kubeadm was given it', doubts: [] };
const proposed: Given = { facts: { endpoint: { suggested: proposal } }, choices: { endpoint: undefined } };
const answeredAll: StepId[] = ['goal', 'platform', 'endpoint', 'proxy', 'options'];

test.each<[StepId, Given, string]>([
  ['goal', {}, 'Enable eBPF'],
  ['goal', { choices: { goal: 'restore' } }, 'Restore kube-proxy'],
  [
    'platform',
    { facts: { endpoint: { apiServers: ['10.0.0.1:6443', '10.0.0.2:6443', '10.0.0.3:6443'] } } },
    'kubeadm, highly available',
  ],
  [
    'platform',
    { choices: { platform: 'k3s' }, facts: { endpoint: { apiServers: ['10.0.0.1:6443'] } } },
    'K3s, one API server, as you chose',
  ],
  ['endpoint', {}, '10.0.0.100:6443'],
  ['endpoint', { choices: { endpoint: { host: 'fd00::1', port: '6443' } } }, '[fd00::1]:6443'],
  ['endpoint', proposed, 'api.example.com:6443 is proposed'],
  ['proxy', {}, 'kube-proxy will be turned off'],
  ['proxy', { choices: { keepProxy: true } }, 'kube-proxy stays beside eBPF'],
  ['proxy', { facts: { proxy: { mode: 'ipvs' } } }, 'kube-proxy runs in IPVS mode'],
  [
    'proxy',
    { facts: { proxy: { mode: 'ipvs' } }, choices: { fix: ['proxy.not-ipvs'] } },
    'kube-proxy changes to iptables mode first',
  ],
  ['proxy', { choices: { platform: 'rke2' } }, 'yours to turn off'],
  ['options', {}, 'as proposed'],
  ['options', { choices: { dsr: true } }, 'answers straight to the client'],
])('%s with %j says: %s', (step, given, expected) => {
  expect(stateOf(step, given).says).toBe(expected);
});

test.each<[string, StepId, Given, RegExp | null]>([
  ['a goal that cannot be planned', 'goal', { choices: { goal: 'flow-logs' } }, /do not plan this goal/],
  ['an undo, which begins at its run', 'goal', { choices: { goal: 'undo' } }, /Open the run/],
  ['an installation where Calico runs', 'goal', { choices: { goal: 'install' } }, /installed here already/],
  ['a platform that eBPF does not support', 'platform', { choices: { platform: 'gke' } }, /Google Kubernetes Engine/],
  ['a proposal that nobody took', 'endpoint', proposed, /Choose an address/],
  [
    'an address of the service network',
    'endpoint',
    { choices: { endpoint: { host: '10.96.0.1', port: '443' } } },
    /10\.96\.0\.1:443/,
  ],
  [
    'a proxy in IPVS mode',
    'proxy',
    { facts: { proxy: { mode: 'ipvs' } } },
    /runs in IPVS mode; iptables mode is needed/,
  ],
  ['an old kernel does not stop the options', 'options', { facts: { nodes: [aNode({ kernel: '4.15.0' })] } }, null],
  [
    'an old kernel stops compatibility, by its name',
    'compatibility',
    { facts: { nodes: [aNode({ kernel: '4.15.0' })] } },
    /worker-1/,
  ],
  ['a warning that nobody decided', 'compatibility', {}, /still needs? a decision/],
])('%s', (_what, step, given, because) => {
  const { ready } = stateOf(step, given);
  if (because === null) expect(ready).toEqual({ kind: 'ready' });
  else expect(ready).toEqual({ kind: 'not-ready', because: expect.stringMatching(because) });
});

test('with every finding decided compatibility may be left', () => {
  const undecided = findingsInState(aWizardContext().findings).filter(({ state }) =>
    ['unknown', 'decide'].includes(state),
  );
  const acknowledge = Object.fromEntries(undecided.map(({ finding }) => [finding.id, 'known']));
  expect(stateOf('compatibility', { choices: { acknowledge }, answered: answeredAll })).toMatchObject({
    ready: { kind: 'ready' },
    says: 'nothing in the way',
  });
});

test('steps after one that is not ready are closed, and say which', () => {
  const context = aWizardContext(proposed);
  const states = stepStates({ ...context.draft, answered: ['goal', 'platform'] }, context);
  expect(states.map(({ id, closed }) => [id, closed === null])).toEqual([
    ['goal', true],
    ['platform', true],
    ['endpoint', true],
    ['proxy', false],
    ['options', false],
    ['compatibility', false],
    ['review', false],
    ['run', false],
  ]);
  expect(states.find(({ id }) => id === 'review')?.closed).toMatch(/^API endpoint first: Choose an address/);
});

test('marks: answered, where one is, and ahead', () => {
  const marks = (given: Given) =>
    stepStates(aWizardContext(given).draft, aWizardContext(given)).map(({ mark }) => mark);
  expect(marks({ ...proposed, answered: ['goal', 'platform'] })).toEqual([
    'ok',
    'ok',
    'warn',
    'idle',
    'idle',
    'idle',
    'idle',
    'idle',
  ]);
  expect(marks({ facts: { nodes: [aNode({ kernel: '4.15.0' })] }, answered: answeredAll }).at(5)).toBe('bad');
});

test('a cluster that does not answer leaves the answers in sight and closes what needs it', () => {
  const states = stepStates({ ...aWizardContext().draft, answered: ['goal'] }, null, 'the cluster does not answer.');
  expect(states[0]).toMatchObject({ mark: 'unknown', closed: null, says: '' });
  expect(states[1]).toMatchObject({ mark: 'idle', closed: 'Goal first: the cluster does not answer.' });
});

test('while no address is settled, the checks of it are one question', () => {
  const found = findingsInState(aWizardContext(proposed).findings);
  expect(found.filter(({ state }) => state === 'waiting').length).toBeGreaterThan(3);
  expect(openCounts(found)).toEqual({ blocking: 1, toDecide: expect.any(Number), withheld: [] });
  expect(
    found.filter(({ state }) => state === 'unknown').every(({ finding }) => finding.group !== 'API endpoint'),
  ).toBe(true);
});
