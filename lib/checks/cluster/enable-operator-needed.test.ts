import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { aFacts, type Overrides, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

test.each<[Overrides<Facts['installation']>, string]>([
  [{ method: 'operator' }, 'pass'],
  [{ method: 'helm' }, 'pass'],
  [{ method: 'manifest-kdd', manifest: 'calico' }, 'fail'],
  [{ method: 'manifest-kdd', manifest: 'canal' }, 'fail'],
  [{ method: 'manifest-etcd', manifest: null, datastore: 'etcd' }, 'fail'],
  [{ method: 'unknown' }, 'unknown'],
  [{ method: 'none' }, 'skipped'],
])('%j: %s', (installation, expected) => {
  expect(find('enable.operator-needed', { installation }).status).toBe(expected);
});

test('the manifest is named', () => {
  const installation = { method: 'manifest-kdd', manifest: 'calico-vxlan', namespace: 'kube-system' } as const;
  expect(find('enable.operator-needed', { installation }).because).toBe(
    'Calico was installed by the manifest calico-vxlan.yaml: there is no Installation that could be switched.',
  );
});

test('an unread installation is unknown', () => {
  expect(find('enable.operator-needed', uncover(aFacts(), 'installation')).status).toBe('unknown');
});

const byManifest = (manifest: Facts['installation']['manifest']): Overrides<Facts> => ({
  installation: { method: 'manifest-kdd', manifest, agent: 'kube-system/DaemonSet/calico-node' },
});
const kubeadmWith = (line: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'kubeadm-config' },
  data: { ClusterConfiguration: `kind: ClusterConfiguration\n${line}\n` },
});

test.each<[string, Overrides<Facts>, RegExp]>([
  ['a manifest of Calico', byManifest('calico'), /^Move Calico to the operator first/],
  [
    'kOps',
    { ...byManifest('calico'), platform: { kind: 'kops' } },
    /^kOps writes this manifest.*`networking.calico.bpfEnabled: true`/,
  ],
  [
    'kubespray',
    {
      ...byManifest('calico'),
      resources: {
        objects: { 'kube-system/ConfigMap/kubeadm-config': kubeadmWith('certificatesDir: /etc/kubernetes/ssl') },
      },
    },
    /^kubespray writes this manifest.*`ipvsadm -C`.*`calico_bpf_enabled: true`.*Once eBPF is active on every node, delete kube-proxy/,
  ],
  [
    'Gardener',
    {
      ...byManifest('calico'),
      resources: {
        objects: {
          'kube-system/DaemonSet/calico-node': {
            apiVersion: 'apps/v1',
            kind: 'DaemonSet',
            metadata: { name: 'calico-node', labels: { 'resources.gardener.cloud/managed-by': 'gardener' } },
          },
        },
      },
    },
    /^Gardener writes this manifest.*ebpfDataplane/,
  ],
  [
    'k0s',
    {
      ...byManifest('calico'),
      resources: {
        objects: {
          'kube-system/DaemonSet/calico-node': {
            apiVersion: 'apps/v1',
            kind: 'DaemonSet',
            metadata: { name: 'calico-node', labels: { 'k0s.k0sproject.io/stack': 'calico' } },
          },
        },
      },
    },
    /^k0s writes this manifest again.*provider: custom/,
  ],
  [
    'etcd, which the operator takes over nothing from',
    { installation: { method: 'manifest-etcd', manifest: 'calico-etcd', datastore: 'etcd' } },
    /^Move the data of Calico from etcd to the Kubernetes API first/,
  ],
  ['canal', byManifest('canal'), /^Replace Canal with Calico first/],
])('the way to the switch: %s', (_name, facts, expected) => {
  const { remedy, status } = find('enable.operator-needed', facts);
  expect(status).toBe('fail');
  expect(remedy.steps.join(' ')).toMatch(expected);
});
