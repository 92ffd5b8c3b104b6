import { expect, test } from 'vitest';
import { aNode } from '#lib/checks/testing/a-facts.ts';
import type { Facts } from '#lib/facts/index.ts';
import { aWizardContext } from '../testing/a-wizard-context.ts';
import { type ContextFields, measured, oneOfThree } from '../testing/measured.ts';
import { foundRows } from './found-rows.ts';

test('each row says what shows that it holds, worst first, and where it is changed', () => {
  const rows = (given: ContextFields) => foundRows(aWizardContext(given));
  const kernel = (given: ContextFields) => rows(given).find(({ what }) => what === 'Kernel')?.proof?.state;
  expect(kernel({ facts: measured })).toBe('ok');
  expect(kernel({})).toBe('unknown');
  expect(kernel({ facts: { nodes: [aNode({ name: 'worker-1', kernel: '4.15.0' })] } })).toBe('bad');
  expect(
    rows({})
      .filter(({ change }) => change !== null)
      .map(({ change }) => change),
  ).toEqual(['platform', 'endpoint', 'proxy', 'options']);
});

test('an installation with the standard data plane asks for no endpoint and no proxy', () => {
  const stepsFor = (dataplane: 'BPF' | 'Iptables') =>
    foundRows(aWizardContext({ choices: { goal: 'install', dataplane, endpoint: undefined } })).map(
      ({ change }) => change,
    );
  expect(stepsFor('BPF')).toEqual(expect.arrayContaining(['endpoint', 'proxy']));
  expect(stepsFor('Iptables').filter((step) => step === 'endpoint' || step === 'proxy')).toEqual([]);
  expect(stepsFor('Iptables')).toContain('options');
});

test('a draft with the standard data plane that still has answers for eBPF alone shows them, with their step', () => {
  const rows = foundRows(
    aWizardContext({ choices: { goal: 'install', dataplane: 'Iptables', automatic: true, endpoint: undefined } }),
  );
  expect(rows.filter(({ change }) => change === 'endpoint' || change === 'proxy')).toMatchObject([
    { what: 'API endpoint', value: 'the operator finds the API servers', source: 'your choice' },
    { what: 'Service proxy' },
  ]);
});

type Mark = Facts['resources']['ownership'][number];
const flux = (state: Mark['state']): Mark => ({
  object: 'Installation/default',
  by: 'flux',
  state,
  source: null,
  evidence: { object: 'Installation/default', path: 'metadata.labels', value: 'apps' },
  writes: [],
});
const owned = (state: Mark['state'], choices: ContextFields['choices'] = {}): ContextFields => ({
  facts: { ...measured, resources: { ownership: [flux(state)] } },
  choices,
});
const helmRelease = { name: 'calico', namespace: 'tigera-operator', chart: 'tigera-operator-v3.31.4', revision: 3 };
const other = { host: '10.0.0.100', port: '8443' };
const accept = (...ids: string[]) => ({ acknowledge: Object.fromEntries(ids.map((id) => [id, 'known'])) });
const notVerified = { state: 'unknown', words: 'accepted, not verified' };

test.each<[string, ContextFields, string, unknown]>([
  [
    'reached from each node',
    { facts: measured },
    'API endpoint',
    { state: 'ok', words: '1 of 1 node reach it, from host and pod' },
  ],
  [
    'what was measured of another address',
    { facts: measured, choices: { endpoint: other } },
    'API endpoint',
    { state: 'unknown' },
  ],
  [
    'accepted, where no reading answers',
    {
      facts: measured,
      choices: { endpoint: other, ...accept('endpoint.reachable', 'endpoint.certificate') },
    },
    'API endpoint',
    notVerified,
  ],
  [
    'an accepted warning',
    { facts: { ...measured, endpoint: oneOfThree }, choices: accept('endpoint.stable') },
    'API endpoint',
    null,
  ],
  [
    'kernels on trust',
    { facts: { nodes: [aNode({ name: 'worker-1' })] }, choices: accept('not-measured') },
    'Kernel',
    notVerified,
  ],
  ['kernels that are ready', { facts: measured }, 'Kernel', { state: 'ok', words: /^ready for eBPF on/ }],
  ['nobody writes these fields', { facts: measured }, 'Owners', null],
  ['a tool that is paused', owned('paused'), 'Owners', null],
  ['a tool that acts', owned('acts'), 'Owners', { state: 'bad' }],
  ['a tool that nobody sees', owned('hidden'), 'Owners', { state: 'unknown', words: 'not verified' }],
  ['the same, accepted', owned('hidden', accept('managed-by.reconciler')), 'Owners', notVerified],
])('Found: %s', (_name, given, what, proof) => {
  expect(foundRows(aWizardContext(given)).find((row) => row.what === what)?.proof).toEqual(
    proof === null ? null : expect.objectContaining(matching(proof as object)),
  );
});

function matching(proof: object): object {
  return Object.fromEntries(
    Object.entries(proof).map(([key, value]) => [key, value instanceof RegExp ? expect.stringMatching(value) : value]),
  );
}

test.each<[string, ContextFields, string]>([
  ['nothing', { facts: measured }, 'no Flux, Argo CD or Helm release sets these fields'],
  [
    'a tool that is paused',
    owned('paused'),
    'paused or in agreement with the plan for these objects: Flux; no Helm release sets these fields',
  ],
  ['a tool that acts', owned('acts'), 'another tool sets these fields; no Helm release sets these fields'],
  [
    'a tool that nobody sees',
    owned('hidden'),
    'not verified whether another tool sets these fields; no Helm release sets these fields',
  ],
  [
    'a release of Helm',
    { facts: { ...measured, resources: { helmReleases: [{ ...helmRelease, status: 'deployed', values: {} }] } } },
    'no Flux or Argo CD sets these fields; a Helm release owns them',
  ],
  [
    'a release that nobody could read',
    { facts: { ...measured, resources: { helmReleases: [{ ...helmRelease, status: 'deployed', values: null }] } } },
    'no Flux or Argo CD sets these fields; not verified what a Helm release sets',
  ],
])('Owners: %s', (_name, given, value) => {
  expect(foundRows(aWizardContext(given)).find(({ what }) => what === 'Owners')?.value).toBe(value);
});
