import { expect, test } from 'vitest';
import { names, resources } from '#lib/spec/index.ts';
import { unrestored } from './unrestored.ts';

const proxy = { resource: resources.daemonSets, namespace: 'kube-system', name: names.kubeProxyDaemonSet };
const operator = { resource: resources.deployments, namespace: 'tigera-operator', name: names.operatorDeployment };
const binding = { resource: resources.clusterRoleBindings, name: names.operatorDeployment };
const template = (spec: object) => ({ spec: { template: { spec } } });

test.each([
  [
    'the proxy asked back',
    { kind: 'merge-patch', target: proxy, body: template({ nodeSelector: { 'non-calico': null } }) },
    null,
  ],
  [
    'DNS of the operator',
    { kind: 'merge-patch', target: operator, body: template({ dnsConfig: null, dnsPolicy: 'Default' }) },
    null,
  ],
  [
    'another image',
    { kind: 'merge-patch', target: operator, body: template({ containers: [{ image: 'x' }] }) },
    /what runs on nodes/,
  ],
  [
    'a host path',
    { kind: 'merge-patch', target: proxy, body: template({ volumes: [{ hostPath: { path: '/' } }] }) },
    /what runs on nodes/,
  ],
  ['a whole DaemonSet', { kind: 'recreate', target: proxy, body: template({}) }, /what runs on nodes/],
  ['a binding', { kind: 'apply', target: binding, body: {}, force: true }, /rights/],
  ['its removal', { kind: 'delete', target: binding, propagation: 'Background' }, null],
  ['a ConfigMap', { kind: 'recreate', target: { ...proxy, resource: resources.configMaps }, body: { data: {} } }, null],
] as const)('%s', (_, act, expected) => {
  const sequence = unrestored({ kind: 'sequence', steps: [{ act, done: { kind: 'journalled' } }] });
  for (const because of [unrestored(act), sequence])
    if (expected === null) expect(because).toBeNull();
    else expect(because).toMatch(expected);
});
