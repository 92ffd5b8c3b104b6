import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { collectFacts } from '../collect.ts';
import { aConfigMap, aNode, aProxy, aProxyConfig, kubeadmConfig } from '../testing/sample-cluster.ts';

const pod = (name: string, metadata: object = {}, namespace = 'kube-system', command: string[] = []): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace, name, ...metadata },
  spec: { containers: [{ name: 'kube-proxy', command, image: 'registry.k8s.io/kube-proxy:v1.34.1' }] },
});
const mirror = { annotations: { 'kubernetes.io/config.mirror': 'a', 'kubernetes.io/config.source': 'file' } };

test.each<[string, KubeObject[], string]>([
  ['mirror pods', [pod('kube-proxy-node-1', mirror)], 'static-pods'],
  ['a pod that its DaemonSet left behind', [pod('kube-proxy-x7k2p')], 'unknown'],
  ['one that is on its way out', [pod('kube-proxy-x7k2p', { deletionTimestamp: '2026-01-01T00:00:00Z' })], 'none'],
  ['a pod of that name elsewhere', [pod('kube-proxy-x7k2p', {}, 'lab')], 'none'],
])('%s: %s', async (_name, pods, kind) => {
  const objects = [aNode({}), kubeadmConfig, ...pods];
  const { proxy } = await collectFacts({ kube: createStore({ name: 'lab', source: 'live', objects }) });
  expect(proxy.kind).toBe(kind);
});

const kops = { ...mirror, labels: { 'k8s-app': 'kube-proxy', tier: 'node' } };
const rke2 = { ...mirror, labels: { component: 'kube-proxy', tier: 'control-plane' } };

test.each<[string, KubeObject[], object]>([
  [
    'without flags it is the default',
    [pod('kube-proxy-a', kops, undefined, ['kube-proxy', '--v=2'])],
    { mode: 'iptables' },
  ],
  [
    'kOps starts it through a shell',
    [pod('kube-proxy-a', kops, undefined, ['/bin/sh', '-c', 'exec kube-proxy --v=2 --proxy-mode=ipvs 2>&1'])],
    { mode: 'ipvs' },
  ],
  [
    'RKE2 writes the flags into its pods',
    [pod('kube-proxy-a', rke2, undefined, ['kube-proxy', '--proxy-mode=ipvs']), aNode({ kubelet: 'v1.34.1+rke2r1' })],
    { mode: 'ipvs', kind: 'embedded' },
  ],
  [
    'a file of its node is not shown',
    [pod('kube-proxy-a', kops, undefined, ['kube-proxy', '--config=/etc/kube-proxy.yaml'])],
    { mode: 'unknown' },
  ],
  [
    'two that differ',
    [
      pod('kube-proxy-a', kops, undefined, ['kube-proxy', '--proxy-mode=nftables']),
      pod('kube-proxy-b', kops, undefined, ['kube-proxy']),
    ],
    { mode: 'unknown' },
  ],
  [
    'one of two is in IPVS mode',
    [
      pod('kube-proxy-a', kops, undefined, ['kube-proxy']),
      pod('kube-proxy-b', kops, undefined, ['kube-proxy', '--proxy-mode=ipvs']),
    ],
    { mode: 'ipvs' },
  ],
])('the mode of a static pod: %s', async (_name, objects, expected) => {
  const { proxy } = await collectFacts({ kube: createStore({ name: 'lab', source: 'live', objects }) });
  expect(proxy).toMatchObject(expected);
});

test.each(['kube-proxy-config', 'kube-proxy-worker-8f3a'])(
  'the ConfigMap that the DaemonSet mounts: %s',
  async (name) => {
    const daemonSet = aProxy();
    const { template } = daemonSet.spec as { template: { spec: Record<string, unknown> } };
    Object.assign(template.spec, {
      volumes: [{ name: 'config', configMap: { name } }],
      containers: [
        {
          name: 'kube-proxy',
          command: ['kube-proxy', '--config=/etc/proxy/settings'],
          volumeMounts: [{ name: 'config', mountPath: '/etc/proxy/' }],
        },
      ],
    });
    const objects = [
      aNode({}),
      daemonSet,
      aProxyConfig('iptables'),
      aConfigMap('kube-system', name, { settings: 'mode: ipvs' }),
    ];
    const { proxy } = await collectFacts({ kube: createStore({ name: 'lab', source: 'live', objects }) });
    expect(proxy.mode).toBe('ipvs');
  },
);
