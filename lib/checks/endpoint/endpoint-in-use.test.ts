import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { aFacts, type Overrides, uncover } from '../testing/a-facts.ts';
import { find, subjectLines } from '../testing/find.ts';

const configMap = { namespace: 'tigera-operator', host: '10.0.0.100', port: '6443' };
const agent = { object: 'calico-system/DaemonSet/calico-node', container: 'calico-node' };
const controllers = {
  object: 'calico-system/Deployment/calico-kube-controllers',
  container: 'calico-kube-controllers',
};
const carried = { ...agent, host: '10.0.0.100', port: '6443' };

test.each<[string, Overrides<Facts>, string]>([
  ['no ConfigMap yet', {}, 'skipped'],
  ['the same everywhere', { endpoint: { configMap, inUse: [carried] } }, 'pass'],
  [
    'the same, written otherwise',
    { endpoint: { configMap: { ...configMap, host: 'API.example.' }, inUse: [{ ...carried, host: 'api.example' }] } },
    'pass',
  ],
  ['the ClusterIP', { endpoint: { configMap, inUse: [{ ...agent, host: '10.96.0.1', port: '443' }] } }, 'fail'],
  ['another port', { endpoint: { configMap, inUse: [{ ...carried, port: '443' }] } }, 'fail'],
  ['nothing', { endpoint: { configMap, inUse: [{ ...agent, host: null, port: null }] } }, 'fail'],
  [
    "MKE's proxy, which pods off the host network do not get",
    {
      endpoint: {
        configMap: { ...configMap, host: 'proxy.local', port: '6444' },
        inUse: [
          { ...agent, host: 'proxy.local', port: '6444' },
          { ...controllers, host: null, port: null },
        ],
      },
    },
    'pass',
  ],
  [
    "an agent without MKE's proxy, which is on the host network",
    {
      endpoint: {
        configMap: { ...configMap, host: 'proxy.local', port: '6444' },
        inUse: [{ ...agent, host: null, port: null }],
      },
    },
    'fail',
  ],
])('%s', (_name, facts, expected) => {
  expect(find('endpoint.in-use', facts).status).toBe(expected);
});

const stale: Overrides<Facts> = { endpoint: { configMap, inUse: [{ ...agent, host: '10.96.0.1', port: '443' }] } };

test('a warning while the proxy runs, blocking once it is off', () => {
  expect(find('endpoint.in-use', stale).severity).toBe('warning');
  expect(find('endpoint.in-use', { ...stale, proxy: { running: false } }).severity).toBe('blocking');
  expect(find('endpoint.in-use', { ...stale, proxy: { kind: 'none' } }, { goal: 'upgrade' }).severity).toBe('blocking');
});

const off = { kind: 'none' } as const;
const unserved = { inUse: [{ ...agent, host: '10.96.0.1', port: '443' }], clusterIPs: ['10.96.0.1'] };
const bootstrap: Overrides<Facts> = {
  resources: {
    objects: {
      'Installation/default': {
        apiVersion: 'v1',
        kind: 'Installation',
        metadata: { name: 'default' },
        spec: { calicoNetwork: { bpfNetworkBootstrap: 'Enabled' } },
      },
    },
  },
};

test.each<[string, Overrides<Facts>, string]>([
  ['the address carried, the proxy off', { endpoint: { inUse: [carried] }, proxy: off }, 'fail blocking'],
  ['the address carried, the proxy on', { endpoint: { inUse: [carried] } }, 'fail warning'],
  [
    'the address carried, the ConfigMap empty',
    { endpoint: { configMap: { ...configMap, host: '' }, inUse: [carried] }, proxy: off },
    'fail blocking',
  ],
  ['the ClusterIP carried, the proxy off', { endpoint: unserved, proxy: off }, 'fail blocking'],
  ['the ClusterIP carried, the proxy on', { endpoint: unserved }, 'skipped'],
  ['automatic mode', { ...bootstrap, endpoint: unserved, proxy: off }, 'skipped'],
  ['a manifest', { installation: { method: 'manifest-kdd' }, endpoint: { inUse: [carried] }, proxy: off }, 'skipped'],
])('before an upgrade, without an address in the ConfigMap: %s', (_name, facts, expected) => {
  const { status, severity } = find('endpoint.in-use', facts, { goal: 'upgrade' });
  expect(status === 'fail' ? `${status} ${severity}` : status).toBe(expected);
});

test('the lost ConfigMap is written again before the operator restarts', () => {
  const lost: Overrides<Facts> = { endpoint: { inUse: [carried] }, proxy: off };
  const create =
    'kubectl create configmap kubernetes-services-endpoint -n tigera-operator --from-literal=KUBERNETES_SERVICE_HOST=10.0.0.100 --from-literal=KUBERNETES_SERVICE_PORT=6443';
  const restart = 'kubectl -n tigera-operator rollout restart deployment tigera-operator';
  const finding = find('endpoint.in-use', lost, { goal: 'upgrade' });
  expect(finding.remedy.command).toBe(`${create}\n${restart}`);
  expect(finding.because).toBe(
    'No address stands in ConfigMap tigera-operator/kubernetes-services-endpoint. 1 workload still carries "10.0.0.100:6443" (calico-system/DaemonSet/calico-node), and the operator that the upgrade starts gives them the ClusterIP, which nothing serves to an agent that starts: the service proxy is off.',
  );
  const unread = uncover(aFacts(lost), 'endpointConfigMaps');
  expect(find('endpoint.in-use', unread, { goal: 'upgrade' }).status).toBe('unknown');
  const other = find('endpoint.in-use', { endpoint: unserved, proxy: off }, { goal: 'upgrade', endpoint: undefined });
  expect(other.remedy.command).toBeUndefined();
});

test('it names the workload, the container and both addresses', () => {
  const finding = find('endpoint.in-use', stale);
  expect(finding.because).toBe(
    '1 workload carries "10.96.0.1:443" where the ConfigMap holds "10.0.0.100:6443": calico-system/DaemonSet/calico-node. The plan fixes this before the switch.',
  );
  expect(subjectLines(finding)).toEqual([
    'DaemonSet calico-system/calico-node: container calico-node carries "10.96.0.1:443"',
  ]);
});

test('without the templates to read it is unknown', () => {
  expect(find('endpoint.in-use', uncover(aFacts({ endpoint: { configMap, inUse: [] } }), 'workloads')).status).toBe(
    'unknown',
  );
});

test('without an operator the workloads themselves are started again', () => {
  const workload = {
    object: 'kube-system/DaemonSet/calico-node',
    container: 'calico-node',
    host: '10.96.0.1',
    port: '443',
  };
  const { remedy } = find('endpoint.in-use', {
    installation: { method: 'manifest-kdd' },
    endpoint: { configMap: { ...configMap, namespace: 'kube-system' }, inUse: [workload] },
  });
  expect(remedy.command).toBe('kubectl rollout restart -n kube-system daemonset calico-node');
});
