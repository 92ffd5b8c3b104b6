import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { type OtherOperators, refusalToStart } from './refusal.ts';

const now = Date.UTC(2026, 10, 21, 12);
const active = (namespace: string, owner?: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'active-operator',
    namespace: 'calico-system',
    ...(owner ? { annotations: { [names.operatorOwnerAnnotation]: owner } } : {}),
  },
  data: { 'active-namespace': namespace },
});
const deployment = (availableReplicas: number): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'tigera-operator', namespace: 'tigera-operator' },
  status: { availableReplicas },
});
const written = (minutesAgo: number, manager = 'operator'): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: {
    name: 'calico-node',
    managedFields: [{ manager, operation: 'Update', time: new Date(now - minutesAgo * 60_000).toISOString() }],
  },
});
const nobody: OtherOperators = {
  playground: false,
  ownNamespace: 'tigera-operator',
  active: null,
  deployment: null,
  calicoNode: null,
  nowMs: now,
};

test.each<[string, Partial<OtherOperators>, RegExp | null]>([
  ['nothing is there', {}, null],
  ['another namespace is active', { active: active('calico-operator') }, /names namespace calico-operator/],
  ['our namespace, and not by us', { active: active('tigera-operator') }, /was not written by Signalbox/],
  ['our namespace, by us', { active: active('tigera-operator', 'signalbox') }, null],
  ['an empty name', { active: active('') }, null],
  ['a running Deployment', { deployment: deployment(1) }, /tigera-operator has available pods/],
  ['a Deployment scaled to 0', { deployment: deployment(0) }, null],
  ['a write 3 min ago', { calicoNode: written(3) }, /wrote DaemonSet calico-system\/calico-node 3 min ago/],
  ['a write 11 min ago', { calicoNode: written(11) }, null],
  ['a write by kubectl', { calicoNode: written(1, 'kubectl') }, null],
  [
    'a write of our own, before a restart',
    { calicoNode: written(1), active: active('tigera-operator', 'signalbox') },
    null,
  ],
  [
    'a running Deployment although we were active',
    { active: active('tigera-operator', 'signalbox'), deployment: deployment(1) },
    /has available pods/,
  ],
])('%s', (_, found, expected) => {
  const refusal = refusalToStart({ ...nobody, ...found });
  if (expected) expect(refusal).toMatch(expected);
  else expect(refusal).toBeNull();
});

test('on a test cluster it plays beside that Deployment', () => {
  expect(
    refusalToStart({
      ...nobody,
      playground: true,
      deployment: deployment(1),
      active: active('other'),
      calicoNode: written(0),
    }),
  ).toBeNull();
});
