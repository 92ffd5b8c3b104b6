import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { aFacts, type Overrides, uncover } from '../testing/a-facts.ts';
import { find, subjectLines } from '../testing/find.ts';

const configMap = { namespace: 'tigera-operator', host: '10.0.0.100', port: '6443' };
const agent = { object: 'calico-system/DaemonSet/calico-node', container: 'calico-node' };
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
        inUse: [{ ...agent, host: null, port: null }],
      },
    },
    'pass',
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
