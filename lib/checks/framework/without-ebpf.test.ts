import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { checks } from '../checks.ts';
import { aFacts, type Overrides, someChoices, uncover } from '../testing/a-facts.ts';
import { find, runAll } from '../testing/find.ts';

const facts = aFacts({
  installation: { method: 'none', version: null, datastore: null, cni: null, agent: null, operators: [] },
  platform: { kind: 'gke' },
  resources: { objects: { 'Installation/default': null } },
});
const install = { goal: 'install', endpoint: undefined } as const;
const statusesOf = (choices: Parameters<typeof someChoices>[0]) =>
  runAll(facts, someChoices(choices))
    .findings.filter(({ status }) => status !== 'skipped')
    .map(({ id }) => id);

test('an installation without eBPF is not held up by what only eBPF needs', () => {
  expect(statusesOf({ ...install, dataplane: 'Iptables' })).toEqual([
    'platform.kubernetes-version',
    'platform.eks-auto-mode',
    'permissions.plan',
    'webhooks.can-deadlock',
    'managed-by.reconciler',
    'managed-by.helm',
    'node.flexvolume-path',
    'network.mtu',
    'install.nothing-there',
    'install.half-finished',
  ]);
});

test('an endpoint that was chosen all the same is judged', () => {
  const chosen = statusesOf({ ...install, dataplane: 'Iptables', endpoint: { host: '10.0.0.100', port: '6443' } });
  expect(chosen).toContain('endpoint.not-local');
  expect(chosen).toContain('operator.dns-deadlock');
  expect(chosen).not.toContain('proxy.not-ipvs');
});

test('with eBPF, and for every other goal, all of them are', () => {
  expect(statusesOf({ ...install, dataplane: 'BPF' })).toContain('platform.supported');
  expect(statusesOf({ goal: 'enable', dataplane: 'Iptables' })).toContain('proxy.not-ipvs');
});

test('what counts without eBPF is there', () => {
  const ids = new Set(checks.map(({ id }) => id));
  for (const id of statusesOf({ ...install, dataplane: 'Iptables' })) expect(ids).toContain(id);
});

const suggested = { host: 'api.example.com', port: 6443, because: 'kubeadm names it', doubts: [] };
const configMap = { namespace: 'tigera-operator', host: 'api.example.com', port: '6443' };
const manifest: Overrides<Facts> = { installation: { method: 'manifest-kdd' } };

test.each<[string, Overrides<Facts>, string, string]>([
  ['the standard data plane', {}, 'skipped', 'skipped'],
  ['a manifest', manifest, 'skipped', 'skipped'],
  ['an endpoint that is in use all the same', { endpoint: { configMap } }, 'fail', 'fail'],
  [
    'an endpoint by manifest, where no operator asks for it',
    { ...manifest, endpoint: { configMap } },
    'fail',
    'skipped',
  ],
])('an upgrade with %s', (_name, overrides, inUse, ofOperator) => {
  const read = aFacts(overrides);
  const proposed = { ...read, endpoint: { ...read.endpoint, suggested } };
  for (const acceptProposals of [false, true]) {
    const choices = { goal: 'upgrade', endpoint: undefined, acceptProposals } as const;
    expect(find('endpoint.in-use', proposed, choices).status).toBe(inUse);
    expect(find('operator.dns-deadlock', proposed, choices).status).toBe(ofOperator);
  }
});

test('an upgrade by manifest asks no operator, whether its endpoint was read or not', () => {
  const unread = uncover(aFacts(manifest), 'endpointConfigMaps', 'operator');
  expect(find('operator.dns-deadlock', unread, { goal: 'upgrade', endpoint: undefined }).status).toBe('skipped');
});
