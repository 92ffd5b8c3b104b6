import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { collectFacts } from '../collect.ts';
import { readKinds } from '../read-kinds.ts';
import { aConfigMap, aDaemonSet, agentContainers, aNode, standardCluster } from '../testing/sample-cluster.ts';

const running = (namespace: string, name: string, desired = 3) =>
  aDaemonSet({ namespace, name, containers: [{ name: 'x' }], desired });

test.each<[string, string, string | null]>([
  ['kube-system', 'aws-node', 'Amazon VPC CNI'],
  ['kube-system', 'azure-cns', 'Azure CNI'],
  ['kube-system', 'cilium', 'Cilium'],
  ['cilium', 'cilium', 'Cilium'],
  ['kube-system', 'cilium-envoy', null],
  ['kube-flannel', 'kube-flannel-ds', 'Flannel'],
  ['kube-system', 'kube-flannel-ds-amd64', 'Flannel'],
  ['kube-system', 'weave-net', 'Weave Net'],
  ['kube-system', 'kube-router', 'kube-router'],
  ['kube-system', 'antrea-agent', 'Antrea'],
  ['openshift-ovn-kubernetes', 'ovnkube-node', 'OVN-Kubernetes'],
  ['openshift-sdn', 'sdn', 'OpenShift SDN'],
  ['shop', 'sdn', null],
  ['kube-system', 'kindnet', 'kindnet'],
  ['kube-system', 'kube-proxy', null],
])('%s/%s: %s', async (namespace, name, product) => {
  const kube = createStore({ name: 'lab', source: 'live', objects: [running(namespace, name)] });
  const { installation, coverage } = await collectFacts({ kube });
  expect(installation.otherNetworks.map(({ product: named, object }) => [named, object])).toEqual(
    product === null ? [] : [[product, `${namespace}/DaemonSet/${name}`]],
  );
  expect(coverage.otherNetworks.covered).toBe(true);
});

test('several, but none that runs nowhere, and never Calico itself', async () => {
  const canal = aDaemonSet({ namespace: 'kube-system', name: 'canal', ...agentContainers() });
  const objects = [
    ...standardCluster(),
    canal,
    running('kube-system', 'aws-node', 0),
    running('kube-system', 'cilium'),
  ];
  const { installation } = await collectFacts({ kube: createStore({ name: 'lab', source: 'live', objects }) });
  expect(installation.otherNetworks.map(({ product }) => product)).toEqual(['Cilium']);
});

const kubeRouter = (...command: string[]) =>
  aDaemonSet({ namespace: 'kube-system', name: 'kube-router', containers: [{ name: 'kube-router', command }] });
const cilium = (settings: Record<string, string> | null, ...command: string[]) => [
  aDaemonSet({ namespace: 'kube-system', name: 'cilium', containers: [{ name: 'cilium-agent', command }] }),
  ...(settings === null ? [] : [aConfigMap('kube-system', 'cilium-config', settings)]),
];

test.each<[string, readonly string[] | null, boolean | null]>([
  ['as it comes', ['--enable-ipv6=false', '--enable-network-policy=false'], false],
  ['with policy', ['--enable-network-policy=true'], true],
  ['with policy, in short', ['--enable-network-policy'], true],
  ['without the flag', ['--enable-ipv6=false'], false],
  ['with a flag that is filled in elsewhere', ['--enable-network-policy=$(ENFORCE)'], null],
  ['before v1.14', null, false],
])('the Amazon VPC CNI %s', async (_name, command, attaches) => {
  const agent = command === null ? [] : [{ name: 'aws-eks-nodeagent', command: [...command] }];
  const node = aDaemonSet({ namespace: 'kube-system', name: 'aws-node', containers: [{ name: 'aws-node' }, ...agent] });
  const { installation } = await collectFacts({ kube: createStore({ name: 'lab', source: 'live', objects: [node] }) });
  expect(installation.otherNetworks.map((one) => [one.connects, one.serves, one.attaches])).toEqual([
    [true, false, attaches],
  ]);
});

/** As their own documents write them: `connects`, `serves`; null: not documented. */
test.each<[string, readonly KubeObject[], [boolean | null, boolean | null] | null]>([
  ['kube-router as it starts', [kubeRouter('kube-router')], [true, true]],
  ['kube-router beside kube-proxy', [kubeRouter('--run-router=true', '--run-service-proxy=false')], [true, false]],
  [
    'kube-router as the service proxy alone',
    [kubeRouter('--run-router=false', '--run-firewall=false', '--run-service-proxy')],
    [false, true],
  ],
  ['kube-router as a firewall', [kubeRouter('--run-router=false', '--run-service-proxy=0')], [false, false]],
  [
    'kube-router through a shell',
    [kubeRouter('sh', '-c', 'exec kube-router --run-router=false --run-service-proxy=true')],
    [false, true],
  ],
  ['kube-router with a flag that is filled in elsewhere', [kubeRouter('--run-service-proxy=$(SERVE)')], [true, null]],
  [
    'kube-router with every part off',
    [kubeRouter('--run-router=false', '--run-firewall=false', '--run-service-proxy=false')],
    null,
  ],
  ['Cilium in place of kube-proxy', cilium({ 'kube-proxy-replacement': 'true' }), [true, true]],
  ['the same in releases before 1.14', cilium({ 'kube-proxy-replacement': 'strict' }), [true, true]],
  ['Cilium beside kube-proxy', cilium({ 'kube-proxy-replacement': 'false' }), [true, false]],
  ['Cilium with a part of it', cilium({ 'kube-proxy-replacement': 'false', 'enable-node-port': 'true' }), [true, true]],
  [
    'Cilium chained on another network',
    cilium({ 'kube-proxy-replacement': 'false', 'cni-chaining-mode': 'generic-veth' }),
    [false, false],
  ],
  [
    'a flag, which beats the ConfigMap',
    cilium({ 'kube-proxy-replacement': 'false' }, 'cilium-agent', '--kube-proxy-replacement=true'),
    [true, true],
  ],
  ['Cilium whose ConfigMap does not say', cilium({}), [true, null]],
  ['Cilium without its ConfigMap', cilium(null), [null, null]],
])('%s', async (_name, objects, expected) => {
  const kube = createStore({ name: 'lab', source: 'live', objects: [...objects] });
  const { installation, proxy } = await collectFacts({ kube });
  const found = installation.otherNetworks.map(({ connects, serves }) => [connects, serves]);
  expect(found).toEqual(expected === null ? [] : [expected]);
  // On a cluster of unknown origin, kube-proxy may run as a service of the nodes.
  expect(proxy.running).toBe(expected?.[1] === true ? true : null);
});

const nodeConfig = (name: string, nodeSelector: unknown, defaults: Record<string, string>, version = 'v2') =>
  ({
    apiVersion: `cilium.io/${version}`,
    kind: 'CiliumNodeConfig',
    metadata: { name, namespace: 'kube-system' },
    spec: { ...(nodeSelector === null ? {} : { nodeSelector }), defaults },
  }) as KubeObject;
const migrated = { matchLabels: { 'io.cilium.migration/cilium-default': 'true' } };
const threeNodes = [
  aNode({ name: 'a', labels: { 'io.cilium.migration/cilium-default': 'true' } }),
  aNode({ name: 'b' }),
  aNode({ name: 'w', labels: { 'kubernetes.io/os': 'windows', 'io.cilium.migration/cilium-default': 'true' } }),
];
const chainedBeside = cilium({ 'kube-proxy-replacement': 'false', 'cni-chaining-mode': 'generic-veth' });
const replacing = { 'kube-proxy-replacement': 'true' };

/** Settings of single nodes, as Cilium's documents write them: `connects`, `serves`, and where it serves on some. */
test.each<[string, readonly KubeObject[], [boolean | null, boolean | null, string?]]>([
  ['that replace kube-proxy on one node', [nodeConfig('kpr', migrated, replacing)], [false, true, '1 of 2']],
  ['that do so on every node', [nodeConfig('kpr', {}, replacing)], [false, true]],
  ['in the form before v1.16', [nodeConfig('kpr', migrated, replacing, 'v2alpha1')], [false, true, '1 of 2']],
  ['that select no node', [nodeConfig('kpr', { matchLabels: { none: 'so' } }, replacing)], [false, false]],
  ['without a selector', [nodeConfig('kpr', null, replacing)], [false, false]],
  [
    'in another namespace, which nobody reads',
    [{ ...nodeConfig('kpr', {}, replacing), metadata: { name: 'kpr', namespace: 'shop' } }],
    [false, false],
  ],
  [
    'that let it connect the pods of one node',
    [nodeConfig('moved', migrated, { 'cni-chaining-mode': 'none' })],
    [true, false],
  ],
  [
    'by an expression',
    [
      nodeConfig(
        'kpr',
        { matchExpressions: [{ key: 'io.cilium.migration/cilium-default', operator: 'DoesNotExist' }] },
        replacing,
      ),
    ],
    [false, true, '1 of 2'],
  ],
  [
    'of which two disagree',
    [nodeConfig('on', {}, replacing), nodeConfig('off', {}, { 'kube-proxy-replacement': 'false' })],
    [false, true],
  ],
])('Cilium chained on another network, with settings of nodes %s', async (_name, configs, [connects, serves, on]) => {
  const kube = createStore({ name: 'lab', source: 'live', objects: [...threeNodes, ...chainedBeside, ...configs] });
  const [found] = (await collectFacts({ kube })).installation.otherNetworks;
  expect([found?.connects, found?.serves]).toEqual([connects, serves]);
  expect(found?.servesOn && `${found.servesOn.nodes} of ${found.servesOn.of}`).toBe(on);
});

test('a flag of the agent beats the settings of a node', async () => {
  const objects = [...threeNodes, ...cilium({}, '--kube-proxy-replacement=false'), nodeConfig('kpr', {}, replacing)];
  const { installation } = await collectFacts({ kube: createStore({ name: 'lab', source: 'live', objects }) });
  expect(installation.otherNetworks[0]?.serves).toBe(false);
});

test('a dump without the settings of nodes does not say that nobody else serves', async () => {
  const kube = createStore({ name: 'lab', source: 'dump', objects: [...threeNodes, ...chainedBeside] });
  const { installation } = await collectFacts({ kube });
  expect(installation.otherNetworks.map(({ connects, serves }) => [connects, serves])).toEqual([[null, null]]);
});

test('a dump writes the settings of nodes in whichever version they are served', () => {
  const kind = readKinds().find(({ resources: [first] }) => first.kind === 'CiliumNodeConfig');
  expect(kind?.resources.map(({ version }) => version)).toEqual(['v2', 'v2alpha1']);
});
