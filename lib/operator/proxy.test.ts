import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { managedElsewhere } from './proxy.ts';

const proxy = (off: boolean, metadata: Partial<KubeObject['metadata']> = {}): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'kube-proxy', ...metadata },
  spec: { template: { spec: { nodeSelector: off ? { [names.operatorProxySelector]: 'true' } : {} } } },
});

test.each([
  ['label app.kubernetes.io/managed-by', { labels: { 'app.kubernetes.io/managed-by': 'Helm' } }],
  ['label addonmanager.kubernetes.io/mode', { labels: { 'addonmanager.kubernetes.io/mode': 'Reconcile' } }],
  ['annotation argocd.argoproj.io/tracking-id', { annotations: { 'argocd.argoproj.io/tracking-id': 'x' } }],
  [null, { labels: { 'k8s-app': 'kube-proxy', 'eks.amazonaws.com/component': 'kube-proxy' } }],
])('somebody else manages it: %s', (expected, metadata) => {
  expect(managedElsewhere(proxy(false, metadata))).toBe(expected);
});
