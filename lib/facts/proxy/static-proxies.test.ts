import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { collectFacts } from '../collect.ts';
import { aNode, kubeadmConfig } from '../testing/sample-cluster.ts';

const pod = (name: string, metadata: object = {}, namespace = 'kube-system'): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace, name, ...metadata },
  spec: { containers: [{ name: 'kube-proxy', image: 'registry.k8s.io/kube-proxy:v1.34.1' }] },
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
