import { expect, test } from 'vitest';
import { aFacts, aNode, uncover } from '../testing/a-facts.ts';
import { find, subjectLines } from '../testing/find.ts';

const stopped = 'NotReady: Kubelet stopped posting node status';
const cniMissing =
  'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized';
const withoutNetwork = {
  ready: false,
  notReady: { waitsFor: 'network', because: cniMissing },
} as const;

test.each([
  ['ready', aNode(), []],
  ['NotReady', aNode({ ready: false }), [`Node worker-1: ${stopped}`]],
  ['NotReady for want of a network', aNode(withoutNetwork), [`Node worker-1: NotReady: ${cniMissing}`]],
  ['cordoned alone, where agents still land', aNode({ unschedulable: true }), []],
  [
    'cordoned with pressure',
    aNode({ unschedulable: true, pressures: ['DiskPressure', 'MemoryPressure'] }),
    ['Node worker-1: cordoned, with DiskPressure and MemoryPressure'],
  ],
  [
    'a taint that the agent does not tolerate',
    aNode({ agentCannotLand: 'it does not tolerate the taint gpu=true:NoSchedule' }),
    ['Node worker-1: the agent cannot land there: it does not tolerate the taint gpu=true:NoSchedule'],
  ],
  ['virtual', aNode({ ready: false, virtual: true }), []],
  ['Windows', aNode({ os: 'windows', agentCannotLand: 'its nodeSelector asks for kubernetes.io/os=linux' }), []],
])('%s', (_name, node, expected) => {
  const finding = find('node.ready', { nodes: [node] });
  expect(finding.status).toBe(expected.length > 0 ? 'fail' : 'pass');
  expect(subjectLines(finding)).toEqual(expected);
});

test.each([
  ['waits for its network', aNode(withoutNetwork), 'Calico', []],
  ['is NotReady for another reason', aNode({ ready: false }), 'Calico', [`Node worker-1: ${stopped}`]],
  [
    'waits for its network, and has no disk left to bring it',
    aNode({ ...withoutNetwork, pressures: ['DiskPressure'] }),
    'Calico',
    [`Node worker-1: NotReady, with DiskPressure: ${cniMissing}`],
  ],
  ['has no routes of its cloud yet', aNode({ ...withoutNetwork, pressures: ['NetworkUnavailable'] }), 'Calico', []],
  [
    'waits for the network of its provider, beside which Calico brings none',
    aNode(withoutNetwork),
    'AmazonVPC',
    [`Node worker-1: NotReady: ${cniMissing}`],
  ],
])('an install on a node that %s', (_name, node, cni, expected) => {
  const finding = find('node.ready', { nodes: [node] }, { goal: 'install', set: { 'cni.type': cni } });
  expect(finding.status).toBe(expected.length > 0 ? 'fail' : 'pass');
  expect(subjectLines(finding)).toEqual(expected);
});

test.each([
  ['an upgrade of ready nodes', 'upgrade', aNode(), 'pass'],
  ['an upgrade past a node that is NotReady', 'upgrade', aNode({ ready: false }), 'fail'],
  ['enabling on ready nodes', 'enable', aNode(), 'pass'],
  ['an install on ready nodes', 'install', aNode(), 'pass'],
  ['an install on a node that waits for the network that is planned', 'install', aNode(withoutNetwork), 'unknown'],
] as const)('where neither platform nor other networks were read: %s', (_name, goal, node, expected) => {
  const facts = uncover(aFacts({ nodes: [node] }), 'platform', 'otherNetworks');
  expect(find('node.ready', facts, { goal }).status).toBe(expected);
});

test('without Calico there is no rollout that a node could hold up', () => {
  const finding = find('node.ready', { nodes: [aNode(withoutNetwork)], installation: { method: 'none' } });
  expect(finding).toMatchObject({
    status: 'skipped',
    because: 'Calico is not installed: no node takes an agent of it.',
  });
});

test('many are counted, a few named, all listed', () => {
  const nodes = Array.from({ length: 5_000 }, (_, index) => aNode({ name: `n-${index}`, ready: false }));
  const finding = find('node.ready', { nodes });
  expect(finding.because).toBe(`5,000 of 5,000 nodes hold the rollout up: n-0, n-1, n-2 and 4,997 more (${stopped}).`);
  expect(finding.subjects).toHaveLength(5_000);
});
