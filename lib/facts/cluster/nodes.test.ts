import { expect, test } from 'vitest';
import { workloadOf } from '#lib/kube/index.ts';
import { aDaemonSet, agentContainers, aNode } from '../testing/sample-cluster.ts';
import { nodeFacts, surveyNode } from './nodes.ts';

const agent = workloadOf(aDaemonSet({ namespace: 'calico-system', name: 'calico-node', ...agentContainers() }));

test('a node as a kubelet reports it', () => {
  const read = surveyNode(aNode({ name: 'control-1', labels: { 'node-role.kubernetes.io/control-plane': '' } }));
  expect(nodeFacts([read], [agent])).toEqual([
    {
      name: 'control-1',
      os: 'linux',
      architecture: 'amd64',
      osImage: 'Ubuntu 24.04.1 LTS',
      distribution: { id: 'ubuntu', version: '24.04' },
      kernel: '6.8.0-45-generic',
      ready: true,
      notReady: null,
      unschedulable: false,
      pressures: [],
      addresses: ['198.18.0.11'],
      calicoAddresses: ['198.18.0.11/24'],
      roles: ['control-plane'],
      providerID: null,
      createdAt: '2026-01-01T00:00:00Z',
      virtual: false,
      agentCannotLand: null,
      computeType: null,
    },
  ]);
});

test.each([
  [{ rack: 'r1' }, 'rack=r1'],
  [{ rack: 'r1', 'topology.scs.openstack.org/host-id': 'h7' }, 'topology.scs.openstack.org/host-id=h7'],
  [{ rack: '', 'topology.kubernetes.io/zone': 'a' }, undefined],
])("labels %o say of the node's link to the network: %s", (labels, link) => {
  expect(surveyNode(aNode({ labels })).fact.link).toBe(link);
});

test('a node has the reason why it is not ready, and its pressures', () => {
  const conditions = [
    { type: 'Ready', status: 'Unknown' },
    { type: 'DiskPressure', status: 'True' },
    { type: 'MemoryPressure', status: 'False' },
  ];
  const { fact } = surveyNode(aNode({ conditions }));
  expect(fact).toMatchObject({
    ready: false,
    notReady: { waitsFor: 'other', because: 'its kubelet does not say why' },
    pressures: ['DiskPressure'],
  });
});

test('a node that waits for its network', () => {
  const message =
    'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized';
  const conditions = [{ type: 'Ready', status: 'False', reason: 'KubeletNotReady', message }];
  expect(surveyNode(aNode({ conditions })).fact).toMatchObject({
    ready: false,
    notReady: { waitsFor: 'network', because: message },
  });
});

test('InternalIPs come before ExternalIPs, and host names are no addresses', () => {
  const node = aNode({});
  const addresses = [
    { type: 'ExternalIP', address: '203.0.113.9' },
    { type: 'Hostname', address: 'worker-1' },
    { type: 'InternalIP', address: '10.0.0.9' },
  ];
  expect(surveyNode({ ...node, status: { addresses } }).fact.addresses).toEqual(['10.0.0.9', '203.0.113.9']);
});

test.each([
  ['virtual-kubelet', aNode({ labels: { type: 'virtual-kubelet' } })],
  ['Fargate', aNode({ labels: { 'eks.amazonaws.com/compute-type': 'fargate' } })],
  [
    'a provider’s taint',
    aNode({ taints: [{ key: 'virtual-kubelet.io/provider', value: 'azure', effect: 'NoSchedule' }] }),
  ],
])('no agent is owed to %s', (_name, node) => {
  expect(nodeFacts([surveyNode(node)], [agent])[0]).toMatchObject({ virtual: true, agentCannotLand: null });
});

test('why the agent cannot land is said', () => {
  const windows = surveyNode(aNode({ labels: { 'kubernetes.io/os': 'windows' } }));
  expect(nodeFacts([windows], [agent])[0]?.agentCannotLand).toBe('its nodeSelector asks for kubernetes.io/os=linux');
  expect(nodeFacts([windows], [])[0]?.agentCannotLand).toBeNull();
});

test('a node that anybody could have written', () => {
  const hostile = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n', labels: 7 },
    spec: [],
    status: { nodeInfo: 'x', addresses: [1, null] },
  };
  // As it would come out of JSON.parse.
  const { fact } = surveyNode(JSON.parse(JSON.stringify(hostile)));
  expect(fact).toMatchObject({ name: 'n', os: '', kernel: '', addresses: [], roles: [], ready: false });
});

test.each([
  ['no list', 5],
  ['nothing in it', []],
  ['one that is none', [null]],
  ['expressions that are no list', [{ matchExpressions: 3 }]],
])('an agent with odd terms of affinity, %s, breaks nothing', (_, nodeSelectorTerms) => {
  const odd = aDaemonSet({ namespace: 'calico-system', name: 'calico-node', ...agentContainers() });
  const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } };
  Object.assign(odd, { spec: { template: { spec: { affinity } } } });
  expect(nodeFacts([surveyNode(aNode({ name: 'a' }))], [workloadOf(odd)])).toHaveLength(1);
});
