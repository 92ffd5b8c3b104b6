import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { collectFacts } from '../collect.ts';
import { aNode } from '../testing/sample-cluster.ts';

type Given = {
  env?: Record<string, string>;
  hostAliases?: unknown[];
  volumes?: unknown[];
  image?: string;
};
const podSpec = ({ env = {}, hostAliases = [], volumes = [], image = 'ghcr.io/kube-vip/kube-vip:v0.8.7' }: Given) => ({
  hostNetwork: true,
  hostAliases,
  volumes,
  containers: [
    {
      name: 'kube-vip',
      image,
      args: ['manager'],
      env: Object.entries({ vip_arp: 'true', port: '6443', cp_enable: 'true', ...env }).map(([name, value]) => ({
        name,
        value,
      })),
    },
  ],
});
const daemonSet = (given: Given): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { namespace: 'kube-system', name: 'kube-vip-ds' },
  spec: { template: { spec: podSpec(given) } },
});
const staticPod = (given: Given): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'kube-system', name: 'kube-vip-control-1' },
  spec: podSpec(given),
});
const adminConf = [{ name: 'kubeconfig', hostPath: { path: '/etc/kubernetes/admin.conf' } }];
const kubernetesIsHere = [{ ip: '127.0.0.1', hostnames: ['kubernetes'] }];

test.each<[string, KubeObject[], { addresses: string[]; usesOwnApiServer: boolean } | null]>([
  ['none', [aNode({})], null],
  [
    'the DaemonSet',
    [daemonSet({ env: { address: '10.0.0.100' } })],
    { addresses: ['10.0.0.100'], usesOwnApiServer: false },
  ],
  [
    'the older variable, with a prefix',
    [daemonSet({ env: { vip_address: '10.0.0.100/32' } })],
    { addresses: ['10.0.0.100'], usesOwnApiServer: false },
  ],
  [
    'both families',
    [daemonSet({ env: { address: '10.0.0.100,fd00::100' } })],
    { addresses: ['10.0.0.100', 'fd00::100'], usesOwnApiServer: false },
  ],
  [
    'told to use its own API server',
    [daemonSet({ env: { address: '10.0.0.100', KUBERNETES_SERVICE_HOST: '127.0.0.1' } })],
    { addresses: ['10.0.0.100'], usesOwnApiServer: true },
  ],
  [
    'the static pod',
    [staticPod({ env: { address: '10.0.0.100' }, volumes: adminConf, hostAliases: kubernetesIsHere })],
    { addresses: ['10.0.0.100'], usesOwnApiServer: true },
  ],
  [
    'a static pod of another kubeconfig',
    [staticPod({ env: { address: '10.0.0.100' } })],
    { addresses: ['10.0.0.100'], usesOwnApiServer: false },
  ],
  ['for Services only', [daemonSet({ env: { svc_enable: 'true' } })], { addresses: [], usesOwnApiServer: false }],
  ['something else of that name', [daemonSet({ image: 'busybox:1' })], null],
])('%s', async (_name, objects, expected) => {
  const { endpoint, coverage } = await collectFacts({ kube: createStore({ name: 'lab', source: 'live', objects }) });
  if (expected === null) expect(endpoint.kubeVip).toBeNull();
  else expect(endpoint.kubeVip).toMatchObject(expected);
  expect(coverage.kubeVip.covered).toBe(true);
});
