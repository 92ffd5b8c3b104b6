import { expect, test } from 'vitest';
import { names, resources } from '#lib/spec/index.ts';
import { insteadOfUpgradeBack, whyNotRestored } from './why-not-restored.ts';

const proxy = { resource: resources.daemonSets, namespace: 'kube-system', name: names.kubeProxyDaemonSet };
const operator = { resource: resources.deployments, namespace: 'tigera-operator', name: names.operatorDeployment };
const binding = { resource: resources.clusterRoleBindings, name: names.operatorDeployment };
const configuration = { resource: resources.configMaps, namespace: 'kube-system', name: 'kube-proxy' };
const endpoint = { resource: resources.configMaps, namespace: 'tigera-operator', name: names.endpointConfigMap };
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
  ['a whole DaemonSet', { kind: 'recreate', target: proxy, body: template({}) }, /the whole object/],
  [
    'a release of Helm',
    { kind: 'helm', verb: 'rollback', release: 'gift', namespace: 'mallory', revision: 1 },
    /release mallory\/gift.*set of manifests/,
  ],
  ['a binding', { kind: 'apply', target: binding, body: {}, force: true }, /rights/],
  ['its removal', { kind: 'delete', target: binding, propagation: 'Background' }, null],
  ['a whole ConfigMap', { kind: 'recreate', target: configuration, body: { data: {} } }, /the whole object/],
  [
    'kube-proxy’s configuration',
    { kind: 'merge-patch', target: configuration, body: { data: { 'config.conf': 'mode: ipvs' } } },
    /what runs on nodes/,
  ],
  ['the endpoint', { kind: 'merge-patch', target: endpoint, body: { data: { KUBERNETES_SERVICE_HOST: 'a' } } }, null],
] as const)('%s', (_, act, expected) => {
  const sequence = whyNotRestored({ kind: 'sequence', steps: [{ act, done: { kind: 'journalled' } }] });
  for (const because of [whyNotRestored(act), sequence])
    if (expected === null) expect(because).toBeNull();
    else expect(because).toMatch(expected);
});

test.each<['upgrade' | 'enable', 'forward' | 'undo', number, RegExp | null]>([
  [
    'upgrade',
    'forward',
    2,
    /^Where that installation is gone: Continue the upgrade here \(`signalbox resume r1`\).* Or stop this run/,
  ],
  // A run on its way back cannot go forward again.
  [
    'upgrade',
    'undo',
    2,
    /^Where that installation is gone: Stop this run \(`signalbox stop r1`\), and apply the operator's files/,
  ],
  ['upgrade', 'forward', 0, null],
  ['enable', 'forward', 2, null],
])('a refused way back of goal %s, %s, with %i refusals', (goal, direction, refused, expected) => {
  const advice = insteadOfUpgradeBack({ goal, run: 'r1', direction }, refused);
  if (expected === null) expect(advice).toBeNull();
  else expect(advice).toMatch(expected);
});
