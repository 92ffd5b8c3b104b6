import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import type { TestOutcome } from '#lib/kube/index.ts';
import { type NodeTest, nodeTestIds } from '#lib/spec/index.ts';
import { aFacts, aNode } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const nodes = ['worker-1', 'worker-2'].map((name) => aNode({ name }));
const passed: TestOutcome = { kind: 'passed' };
const failed: TestOutcome = { kind: 'failed', because: 'it does not' };
const notRun: TestOutcome = { kind: 'not-run', because: 'no pod runs there' };

/** The first node passes all; the second has this outcome. */
function measured(test: NodeTest, second: TestOutcome): Facts {
  const tests = (outcome: TestOutcome) =>
    Object.fromEntries(nodeTestIds.map((id) => [id, id === test ? outcome : passed])) as Record<NodeTest, TestOutcome>;
  const facts = aFacts({
    nodes,
    measured: {
      endpoint: { host: '10.0.0.100', port: '6443' },
      nodes: nodes.map(({ name }, index) => ({ node: name, ms: 1, tests: tests(index === 0 ? passed : second) })),
    },
  });
  return { ...facts, resources: { ...facts.resources, endpointProbe: { because: 'nothing is dialled' } } };
}

test.each<[string, NodeTest]>([
  ['node.bpf-loads', 'programs'],
  ['node.mounts', 'mounts'],
  ['node.interfaces', 'interfaces'],
  ['feature.vlan-devices', 'vlan-devices'],
  ['network.vxlan-between-nodes', 'vxlan'],
  ['network.mtu', 'full-size'],
  ['endpoint.reachable', 'endpoint-from-host'],
])('%s is what the nodes answered to %s', (id, of) => {
  const choices = { endpoint: { host: '10.0.0.100', port: '6443' } };
  expect(find(id, measured(of, passed), choices).status).toBe('pass');
  const bad = find(id, measured(of, failed), choices);
  expect([bad.status, bad.subjects.map(({ name }) => name)]).toEqual(['fail', ['worker-2']]);
  const open = find(id, measured(of, notRun), choices);
  expect([open.status, open.notMeasured !== null || id === 'endpoint.reachable']).toEqual(['unknown', true]);
});

test.each<[string, NodeTest, Partial<Facts['proxy']>, string]>([
  ['proxy.detected', 'service-proxy', {}, 'pass'],
  ['proxy.not-ipvs', 'ipvs', {}, 'pass'],
  ['proxy.not-ipvs', 'ipvs', { mode: 'unknown' }, 'pass'],
  ['proxy.health-port', 'health-port', {}, 'pass'],
])('%s fails on the nodes that failed %s, whatever the API shows %j', (id, of, proxy, fine) => {
  const facts = (second: TestOutcome) => {
    const base = measured(of, second);
    return { ...base, proxy: { ...base.proxy, ...proxy } };
  };
  expect(find(id, facts(passed)).status).toBe(fine);
  const bad = find(id, facts(failed));
  expect([bad.status, bad.subjects.map(({ name }) => name)]).toEqual(['fail', ['worker-2']]);
});

/** A kube-router whose flags cannot be read. */
const kubeRouter = {
  ...{ product: 'kube-router', object: 'kube-system/DaemonSet/kube-router' },
  ...{ connects: false, serves: null, attaches: null, evidence: [] },
};

test.each([
  ['none', 'none', 'pass'],
  ['none', 'rules', 'fail'],
  ['none', undefined, 'fail'],
  ['none', 'none', 'fail', { running: true }],
  ['none', 'none', 'fail', { serves: null }],
] as const)(
  'a service proxy that the API does not show: %s on one node, %s on the other: %s %o',
  (one, other, expected, seen: { running?: true; serves?: null } = {}) => {
    const base = measured('service-proxy', passed);
    const serving = [one, other];
    const facts: Facts = {
      ...base,
      proxy: { ...base.proxy, kind: 'unknown', running: seen.running ?? null, evidence: [] },
      installation: { ...base.installation, otherNetworks: seen.serves === null ? [kubeRouter] : [] },
      measured: base.measured && {
        ...base.measured,
        nodes: base.measured.nodes.map((node, index) => ({ ...node, proxy: serving[index] })),
      },
    };
    expect(find('proxy.detected', facts).status).toBe(expected);
    expect(find('proxy.health-port', facts).status).toBe(expected === 'pass' ? 'pass' : 'unknown');
  },
);

test('a measurement of another address says nothing of this one', () => {
  const choices = { endpoint: { host: '10.0.0.101', port: '6443' } };
  expect(find('endpoint.reachable', measured('endpoint-from-host', passed), choices).status).toBe('unknown');
});

test('a node whose kernel is refused already fails one finding, not two', () => {
  const old = aNode({ name: 'worker-2', kernel: '4.15.0-20-generic' });
  const facts = { ...measured('programs', failed), nodes: [...nodes.slice(0, 1), old] };
  expect([find('node.kernel', facts).status, find('node.bpf-loads', facts).status]).toEqual(['fail', 'pass']);
});

test('a pod that alone does not reach the address leaves the question open', () => {
  const choices = { endpoint: { host: '10.0.0.100', port: '6443' } };
  const found = find('endpoint.reachable', measured('endpoint-from-pod', failed), choices);
  expect([found.status, found.because]).toEqual(['unknown', expect.stringContaining('a policy may drop it')]);
});

test.each<[TestOutcome, string]>([
  [passed, 'pass'],
  [failed, 'fail'],
  [notRun, 'unknown'],
])('sums in VXLAN are what was measured, on whatever machines: %j', (second, status) => {
  const base = measured('checksums', second);
  const facts = { ...base, installation: { ...base.installation, version: 'v3.27.5' } };
  expect(find('network.offload', facts, { goal: 'upgrade', release: 'v3.31.4' }).status).toBe(status);
});
