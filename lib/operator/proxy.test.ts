import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { managedElsewhere, proxyShouldBeOff } from './proxy.ts';
import { quirksOf } from './quirks.ts';

const proxy = (off: boolean, metadata: Partial<KubeObject['metadata']> = {}): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'kube-proxy', ...metadata },
  spec: { template: { spec: { nodeSelector: off ? { [names.operatorProxySelector]: 'true' } : {} } } },
});
const agents = (updated: number): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'calico-node', generation: 2 },
  status: {
    observedGeneration: 2,
    desiredNumberScheduled: 4,
    updatedNumberScheduled: updated,
    numberAvailable: updated,
  },
});

/** wanted data plane, bpfEnabled, agents ready, off already → off (ours, public) */
test.each([
  ['eBPF everywhere', true, true, 4, false, true, true],
  ['agents still starting', true, true, 2, false, false, true],
  ['agents rolling later on', true, true, 2, true, true, true],
  ['eBPF asked for and not on', true, false, 4, false, false, false],
  ['on the way back', false, true, 4, true, false, true],
  ['standard', false, false, 4, true, false, false],
])('%s', (_, wantsBpf, bpfEnabled, updated, off, ours, theirs) => {
  const facts = { wantsBpf, bpfEnabled, proxy: proxy(off), calicoNode: agents(updated) };
  expect(proxyShouldBeOff(facts, quirksOf('signalbox'))).toBe(ours);
  expect(proxyShouldBeOff(facts, quirksOf('v3.31.4'))).toBe(theirs);
});

test.each([
  ['label app.kubernetes.io/managed-by', { labels: { 'app.kubernetes.io/managed-by': 'Helm' } }],
  ['label addonmanager.kubernetes.io/mode', { labels: { 'addonmanager.kubernetes.io/mode': 'Reconcile' } }],
  ['annotation argocd.argoproj.io/tracking-id', { annotations: { 'argocd.argoproj.io/tracking-id': 'x' } }],
  [null, { labels: { 'k8s-app': 'kube-proxy', 'eks.amazonaws.com/component': 'kube-proxy' } }],
])('somebody else manages it: %s', (expected, metadata) => {
  expect(managedElsewhere(proxy(false, metadata))).toBe(expected);
});
