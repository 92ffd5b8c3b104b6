import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { manualChanges } from '../by-hand/manual-changes.ts';
import { aFacts, type Overrides, uncover } from '../testing/a-facts.ts';
import { aRelease, findUpgrading } from '../testing/an-upgrade.ts';
import { subjectLines } from '../testing/find.ts';

const id = 'upgrade.manual-changes';
const config = (data: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'calico-config', namespace: 'kube-system' },
  data,
});
const agent = (env: { name: string; value?: string }[], more: Record<string, unknown> = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'calico-node', namespace: 'kube-system' },
  spec: {
    template: {
      spec: {
        nodeSelector: { 'kubernetes.io/os': 'linux' },
        containers: [{ name: 'calico-node', image: 'docker.io/calico/node:v3.27.5', env }],
        ...more,
      },
    },
  },
});

const publishedConfig = config({ calico_backend: 'bird', veth_mtu: '0' });
const publishedAgent = agent([
  { name: 'CALICO_IPV4POOL_IPIP', value: 'Always' },
  { name: 'FELIX_EMPTY', value: '' },
]);
const running = aRelease('v3.27.5', 'calico.yaml', [publishedConfig, publishedAgent]);

function installed(configMap: object, daemonSet: object, method: 'manifest-kdd' | 'manifest-etcd' = 'manifest-kdd') {
  return {
    installation: {
      method,
      manifest: method === 'manifest-etcd' ? 'calico-etcd' : 'calico',
      agent: 'kube-system/DaemonSet/calico-node',
    },
    resources: {
      objects: {
        'kube-system/ConfigMap/calico-config': configMap,
        'kube-system/DaemonSet/calico-node': daemonSet,
      },
    },
  } as Overrides<Facts>;
}

test('as published passes: what the API server fills in is no change', () => {
  const served = agent([{ name: 'CALICO_IPV4POOL_IPIP', value: 'Always' }, { name: 'FELIX_EMPTY' }], {
    dnsPolicy: 'ClusterFirst',
    schedulerName: 'default-scheduler',
  });
  const facts = installed(publishedConfig, served);
  expect(findUpgrading(id, { from: 'v3.27.5', facts, files: { running } })).toMatchObject({
    status: 'pass',
    because: 'What runs is as calico.yaml of v3.27.5 has it.',
  });
});

test.each([
  ['the new file', { target: aRelease('v3.31.4', 'calico.yaml', [publishedConfig, publishedAgent]) }],
  ['only the old file', { running }],
])(
  'an agent of another name, as a distribution names it, blocks: a second would start beside it; known: %s',
  (_what, files) => {
    const own = { agent: 'kube-system/DaemonSet/rke2-canal' } as const;
    const facts = installed(publishedConfig, publishedAgent);
    const renamed = { ...facts, installation: { ...facts.installation, ...own } } as Overrides<Facts>;
    const finding = findUpgrading(id, { from: 'v3.27.5', to: 'v3.31.4', facts: renamed, files });
    expect(finding).toMatchObject({ status: 'fail', severity: 'blocking' });
    expect(finding.because).toContain('rke2-canal, and the manifest brings kube-system/DaemonSet/calico-node');
    expect(finding.remedy.command).toContain('-n kube-system daemonset rke2-canal');
    expect(finding.consequence).toMatch(/^Two agents on one node/);
  },
);

test('what people change is told, field by field', () => {
  const edited = agent(
    [
      { name: 'CALICO_IPV4POOL_IPIP', value: 'Never' },
      { name: 'CALICO_IPV4POOL_CIDR', value: '10.244.0.0/16' },
    ],
    { nodeSelector: { 'kubernetes.io/os': 'linux', pool: 'blue' } },
  );
  const facts = installed(config({ calico_backend: 'vxlan', veth_mtu: '0' }), edited);
  const finding = findUpgrading(id, { from: 'v3.27.5', facts, files: { running } });
  expect(finding).toMatchObject({ status: 'fail', severity: 'warning' });
  expect(subjectLines(finding)).toEqual([
    'ConfigMap kube-system/calico-config: data.calico_backend is "vxlan" instead of "bird"',
    'DaemonSet kube-system/calico-node: spec.template.spec.nodeSelector.pool is "blue", added, spec.template.spec.containers[calico-node].env[CALICO_IPV4POOL_IPIP].value is "Never" instead of "Always", spec.template.spec.containers[calico-node].env[FELIX_EMPTY] was taken out and spec.template.spec.containers[calico-node].env[CALICO_IPV4POOL_CIDR] was added',
  ]);
});

test('without the file of the old release it is unknown, and says which file', () => {
  const facts = installed(publishedConfig, publishedAgent);
  const finding = findUpgrading(id, { from: 'v3.27.5', facts });
  expect(finding.status).toBe('unknown');
  expect(finding.because).toContain('calico.yaml of v3.27.5');
  expect(finding.remedy.command).toContain('/v3.27.5/manifests/calico.yaml');
  const canal = { ...facts, installation: { method: 'manifest-etcd', manifest: 'canal-etcd' } } as const;
  expect(findUpgrading(id, { from: 'v3.27.5', facts: canal }).because).toContain('canal-etcd.yaml');
});

test('the placeholder of etcd blocks', () => {
  const etcd = config({ etcd_endpoints: 'http://<ETCD_IP>:<ETCD_PORT>' });
  const finding = findUpgrading(id, { from: 'v3.24.5', facts: installed(etcd, publishedAgent, 'manifest-etcd') });
  expect(finding).toMatchObject({ status: 'fail', severity: 'blocking' });
  const filled = installed(config({ etcd_endpoints: 'https://10.0.0.11:2379' }), publishedAgent, 'manifest-etcd');
  expect(findUpgrading(id, { from: 'v3.24.5', facts: filled }).status).toBe('unknown');
});

test('the operator keeps what people set; what was not read is unknown', () => {
  expect(findUpgrading(id).status).toBe('skipped');
  const facts = aFacts(installed(publishedConfig, publishedAgent));
  const unread = { from: 'v3.27.5', files: { running }, facts: uncover(facts, 'manifestConfig') };
  expect(findUpgrading(id, unread).status).toBe('unknown');
});

test('a value that was masked is no change', () => {
  const live = agent([{ name: 'CALICO_IPV4POOL_IPIP', value: '<masked>' }, { name: 'FELIX_EMPTY' }]);
  expect(manualChanges(live, publishedAgent)).toEqual([]);
});

test('three ways: what the new file has as it runs is no loss, and what it has otherwise is named', () => {
  const edited = config({ calico_backend: 'vxlan', veth_mtu: '1400' });
  const facts = installed(edited, publishedAgent);
  const target = (data: Record<string, string>) => aRelease('v3.31.4', 'calico.yaml', [config(data), publishedAgent]);
  const find = (data: Record<string, string>) =>
    findUpgrading(id, { from: 'v3.27.5', facts, files: { running, target: target(data) } });

  const half = find({ calico_backend: 'vxlan', veth_mtu: '1' });
  expect(half.because).toBe(
    '1 field is not as calico.yaml of v3.27.5 has it, nor as that of v3.31.4: data.veth_mtu. v3.31.4 changes it too, so only you can say which is right.',
  );
  expect(subjectLines(half)).toEqual([
    'ConfigMap kube-system/calico-config: data.veth_mtu is "1400" here, "0" in the old file and "1" in the new one, to be decided',
  ]);
  expect(find({ calico_backend: 'vxlan', veth_mtu: '1400' })).toMatchObject({
    status: 'pass',
    because: 'What runs is as calico.yaml of v3.27.5 has it, or as the new file has it.',
  });
});

test('what is decided passes: by an answer, or by an accepted proposal where the new file leaves the field as it was', () => {
  const target = (mtu: string) =>
    aRelease('v3.31.4', 'calico.yaml', [config({ calico_backend: 'bird', veth_mtu: mtu }), publishedAgent]);
  const facts = installed(config({ calico_backend: 'vxlan', veth_mtu: '1400' }), publishedAgent);
  const find = (mtu: string, choices: object) =>
    findUpgrading(id, { from: 'v3.27.5', facts, files: { running, target: target(mtu) }, choices });
  const field = (name: string) => `kube-system/ConfigMap/calico-config:data.${name}`;
  expect(find('0', {})).toMatchObject({ status: 'fail', because: expect.stringContaining('proposed that 2 stay') });
  expect(find('0', { acceptProposals: true })).toMatchObject({
    status: 'pass',
    because: '2 changes of calico.yaml of v3.27.5 by hand: 2 kept.',
  });
  expect(find('1', { acceptProposals: true })).toMatchObject({
    status: 'fail',
    because: expect.stringContaining('v3.31.4 changes it too'),
  });
  const changes = { [field('veth_mtu')]: { write: '1450' }, [field('calico_backend')]: 'take' };
  expect(find('1', { changes })).toMatchObject({
    status: 'pass',
    because: '2 changes of calico.yaml of v3.27.5 by hand: 1 given up for the new file and 1 written as answered.',
  });
});

test('without the file of the old release the new one is compared with, and it says so', () => {
  const facts = installed(config({ calico_backend: 'vxlan', veth_mtu: '0' }), publishedAgent);
  const target = aRelease('v3.31.4', 'calico.yaml', [publishedConfig, publishedAgent]);
  expect(findUpgrading(id, { from: 'v3.27.5', facts, files: { target } })).toMatchObject({
    status: 'fail',
    because:
      'calico.yaml of v3.27.5 was not read, so what runs is compared with that of v3.31.4 alone: 1 field differs, and not verified who changed it.',
  });
});

test('a name with dots is found in the new file', () => {
  const annotated = (value: string) => ({
    ...publishedAgent,
    spec: {
      template: { metadata: { annotations: { 'example.test/a.b': value } }, spec: publishedAgent.spec.template.spec },
    },
  });
  const facts = installed(publishedConfig, annotated('mine'));
  const release = (version: string, value: string) =>
    aRelease(version, 'calico.yaml', [publishedConfig, annotated(value)]);
  const files = { running: release('v3.27.5', 'old'), target: release('v3.31.4', 'mine') };
  expect(findUpgrading(id, { from: 'v3.27.5', facts, files }).status).toBe('pass');
});

test('rules count as well; what was taken away is told; what could not be read keeps it from passing', () => {
  const role = (verbs: string[]) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'calico-node' },
    rules: [{ apiGroups: [''], resources: ['nodes'], verbs }],
  });
  const files = { running: aRelease('v3.27.5', 'calico.yaml', [publishedConfig, publishedAgent, role(['get'])]) };
  const withRole = (object: object | null | undefined) => {
    const { installation, resources } = installed(publishedConfig, publishedAgent);
    const more = object === undefined ? {} : { 'ClusterRole/calico-node': object };
    return { installation, resources: { objects: { ...resources?.objects, ...more } } } as Overrides<Facts>;
  };
  const find = (object: object | null | undefined) =>
    findUpgrading(id, { from: 'v3.27.5', facts: withRole(object), files });
  expect(find(role(['get'])).status).toBe('pass');
  expect(subjectLines(find(role(['get', 'list'])))).toEqual([
    'ClusterRole calico-node: rules[/nodes].verbs[list] is "list", added',
  ]);
  expect(subjectLines(find(null))).toEqual(['ClusterRole calico-node: is not there']);
  expect(find(undefined)).toMatchObject({
    status: 'unknown',
    because: 'All that could be read equals calico.yaml of v3.27.5. 1 of 3 objects of it could not be compared.',
  });
});
