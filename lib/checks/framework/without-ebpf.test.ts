import { expect, test } from 'vitest';
import { checks } from '../checks.ts';
import { aFacts, someChoices } from '../testing/a-facts.ts';
import { runAll } from '../testing/find.ts';

const facts = aFacts({
  installation: { method: 'none', version: null, datastore: null, cni: null, agent: null, operators: [] },
  platform: { kind: 'gke' },
  resources: { objects: { 'Installation/default': null } },
});
const install = { goal: 'install', endpoint: undefined } as const;
const judged = (choices: Parameters<typeof someChoices>[0]) =>
  runAll(facts, someChoices(choices))
    .findings.filter(({ status }) => status !== 'skipped')
    .map(({ id }) => id);

test('an installation without eBPF is not held up by what only eBPF needs', () => {
  expect(judged({ ...install, dataplane: 'Iptables' })).toEqual([
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
  const chosen = judged({ ...install, dataplane: 'Iptables', endpoint: { host: '10.0.0.100', port: '6443' } });
  expect(chosen).toContain('endpoint.not-local');
  expect(chosen).toContain('operator.dns-deadlock');
  expect(chosen).not.toContain('proxy.not-ipvs');
});

test('with eBPF, and for every other goal, all of them are', () => {
  expect(judged({ ...install, dataplane: 'BPF' })).toContain('platform.supported');
  expect(judged({ goal: 'enable', dataplane: 'Iptables' })).toContain('proxy.not-ipvs');
});

test('what counts without eBPF is there', () => {
  const ids = new Set(checks.map(({ id }) => id));
  for (const id of judged({ ...install, dataplane: 'Iptables' })) expect(ids).toContain(id);
});
