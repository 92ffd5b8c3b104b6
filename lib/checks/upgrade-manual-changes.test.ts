import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { manualChanges } from './reading/manual-changes.ts';
import { aFacts, type Overrides, uncover } from './testing/a-facts.ts';
import { aRelease, findUpgrading } from './testing/an-upgrade.ts';
import { subjectLines } from './testing/find.ts';

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
    installation: { method, manifest: method === 'manifest-etcd' ? 'calico-etcd' : 'calico' },
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
