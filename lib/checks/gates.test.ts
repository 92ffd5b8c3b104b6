import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { type Choices, gates } from '#lib/spec/index.ts';
import { checks } from './checks.ts';
import { aNode, type Overrides } from './testing/a-facts.ts';
import { felix } from './testing/calico-objects.ts';
import { find } from './testing/find.ts';

type Example = readonly [check: string, facts: Overrides<Facts>, choices: Partial<Choices>, status?: 'skipped'];

const upgrade = (from: string, release: string, facts: Overrides<Facts> = {}, id = 'upgrade.path'): Example => [
  id,
  { ...facts, installation: { ...facts.installation, version: from } },
  { goal: 'upgrade', release },
];
const onKernel = (kernel: string, version: string, objects: Record<string, unknown> = {}): Example => [
  'node.kernel-known-bad',
  { nodes: [aNode({ kernel })], installation: { version }, resources: { objects } } as Overrides<Facts>,
  {},
];
const bpf = { installation: { dataplane: { wanted: 'BPF', actual: 'BPF' } } } as const;
const subject = (kind: string, name: string) => ({ kind, namespace: 'kube-system', name, detail: 'as in the test' });
const boundDns = {
  object: 'kube-system/DaemonSet/node-local-dns',
  binds: ['10.96.0.10'],
  services: [
    {
      object: 'kube-system/Service/kube-dns',
      addresses: ['10.96.0.10'],
      bound: true,
      asked: false,
      isAnnotated: false,
      isInCidrs: false,
    },
  ],
  evidence: [],
};
const release = { name: 'calico', namespace: 'tigera-operator', chart: null, revision: 1, status: 'deployed' };

/**
 * For every gate of pain.md §2 a cluster on which it closes, and the check that reports it: nobody learns of one only from the table. Gates
 * that name a field which does not exist there are reported by the check that would use it.
 */
const anApiServer = { apiVersion: 'operator.tigera.io/v1', kind: 'APIServer', metadata: { name: 'default' } };

const examples: Readonly<Record<string, Example>> = {
  V1: upgrade('v3.30.4', 'v3.31.4', bpf),
  V2: onKernel('6.17.5-200.fc42.x86_64', 'v3.31.2'),
  V3: onKernel('5.15.0-119-generic', 'v3.30.2', felix({ bpfLogLevel: 'Debug' })),
  V4: onKernel('6.1.0-26-amd64', 'v3.26.4'),
  V5: upgrade(
    'v3.27.5',
    'v3.28.0',
    { upgrade: { ownerReferences: [subject('ConfigMap', 'a')] } },
    'upgrade.owner-references',
  ),
  V6: upgrade(
    'v3.30.0',
    'v3.31.4',
    { upgrade: { defaultTierPolicies: { count: 1, first: [subject('NetworkPolicy', 'a')] } } },
    'upgrade.policy-names',
  ),
  V7: upgrade('v3.27.5', 'v3.28.4', { cluster: { kubernetesVersion: 'v1.24.17' } }),
  V8: upgrade('v3.30.7', 'v3.31.7', {
    resources: { helmReleases: [{ ...release, values: { kubeletVolumePluginPath: 'None' } }] },
  }),
  V9: upgrade('v3.30.7', 'v3.31.7', { upgrade: { hostEndpoints: { automatic: 3 } } }, 'upgrade.host-endpoints'),
  V10: upgrade('v3.29.7', 'v3.31.7', { installation: { agent: null } }, 'upgrade.registry-moved'),
  V11: upgrade('v3.30.7', 'v3.31.2'),
  V12: upgrade('v3.30.7', 'v3.31.4'),
  V13: upgrade('v3.30.7', 'v3.31.2'),
  V14: [
    'node.cgroup-path',
    { nodes: [aNode({ osImage: 'Talos (v1.8.1)' })], installation: { version: 'v3.30.3' } },
    {},
  ],
  V15: ['proxy.health-port', { installation: { version: 'v3.30.4' } }, { keepProxy: true }, 'skipped'],
  V16: [
    'feature.node-local-dns',
    {
      features: { nodeLocalDns: [subject('DaemonSet', 'node-local-dns')], nodeLocalDnsCaches: [boundDns] },
      installation: { version: 'v3.27.5' },
    },
    {},
  ],
  V17: ['endpoint.bootstrap-exclusive', {}, { goal: 'install', release: 'v3.30.7', automatic: true }],
  V19: upgrade('v3.31.7', 'v3.32.3', {
    installation: { method: 'helm' },
    resources: { objects: { 'APIServer/default': anApiServer } },
  }),
  V20: upgrade('v3.31.7', 'v3.32.3', { resources: { objects: { 'APIServer/default': null } } }),
  V21: upgrade('v3.31.7', 'v3.32.1'),
  V22: upgrade('v3.30.7', 'v3.31.4'),
};

/** Asks for nothing: whether programs are attached in one way or the other only a measurement on the node tells. */
const onlyMeasured = ['V18'];

test('every gate has an example, or is measured', () => {
  expect([...Object.keys(examples), ...onlyMeasured].sort()).toEqual(gates.map(({ id }) => id).sort());
});

test.each(Object.entries(examples))('gate %s closes where its check says so', (id, [check, facts, choices, status]) => {
  const gate = gates.find((one) => one.id === id);
  expect(gate?.checks).toContain(check);
  const finding = find(check, facts, choices);
  expect(finding.status, finding.because).toBe(status ?? 'fail');
  if (check === 'upgrade.path') expect(finding.because).toContain(`(gate ${id})`);
});

test('every check that a gate names is registered, and asked before what the gate is about', () => {
  const registered = new Map(checks.map((check) => [check.id, check]));
  for (const { id, checks: own, crosses, fromRelease } of gates) {
    for (const name of own) expect(registered.has(name), `${id} ${name}`).toBe(true);
    const goals = own.flatMap((name) => registered.get(name)?.goals ?? []);
    if (crosses !== undefined || fromRelease !== undefined) expect(goals, id).toContain('upgrade');
  }
});
