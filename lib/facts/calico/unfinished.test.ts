import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { collectFacts } from '../collect.ts';
import {
  aConfigMap,
  aDaemonSet,
  aDeployment,
  agentContainers,
  aNode,
  anInstallation,
  standardCluster,
} from '../testing/sample-cluster.ts';

const definition: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'installations.operator.tigera.io' },
  spec: { group: 'operator.tigera.io' },
};
const namespace: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tigera-operator' } };
const operator = (where = 'tigera-operator') =>
  aDeployment({ namespace: where, name: 'tigera-operator', image: 'quay.io/tigera/operator:v1.40.7' });
const agent = (where: string) => aDaemonSet({ namespace: where, name: 'calico-node', ...agentContainers() });
const nameless: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { namespace: 'calico-system', name: 'calico-node' },
};
const leaving: KubeObject = {
  ...anInstallation(),
  metadata: { name: 'default', deletionTimestamp: '2026-11-21T10:00:00Z', finalizers: ['tigera.io/operator-cleanup'] },
};

async function read(objects: KubeObject[], access?: { verbs: string[]; groups: string[]; resources: string[] }[]) {
  const kube = createStore({
    name: 'lab',
    source: 'live',
    kinds: [resources.installations],
    objects,
    ...(access ? { access } : {}),
  });
  const { installation, coverage } = await collectFacts({ kube });
  return { ...installation, covered: coverage.unfinished.covered };
}

test.each<[string, KubeObject[], string[] | null, string[]]>([
  ['nothing', [aNode({})], null, []],
  ['all of it', [...standardCluster(), definition], null, []],
  ['an agent of which nothing can be read', [definition, operator(), anInstallation(), nameless], null, []],
  ['a manifest install has no operator’s parts', [agent('kube-system')], null, []],
  [
    'CRDs that an uninstall kept',
    [definition],
    ['CustomResourceDefinition'],
    ['Deployment', 'Installation', 'DaemonSet'],
  ],
  [
    'a namespace alone',
    [namespace],
    ['Namespace'],
    ['CustomResourceDefinition', 'Deployment', 'Installation', 'DaemonSet'],
  ],
  [
    'CRDs and operator, no Installation',
    [definition, namespace, operator()],
    ['Namespace', 'CustomResourceDefinition', 'Deployment'],
    ['Installation', 'DaemonSet'],
  ],
  [
    'an Installation that nobody has acted on',
    [definition, namespace, operator(), anInstallation()],
    ['Namespace', 'CustomResourceDefinition', 'Deployment', 'Installation'],
    ['DaemonSet'],
  ],
  [
    'an Installation that is being deleted',
    [definition, operator(), leaving, agent('calico-system')],
    ['CustomResourceDefinition', 'Deployment', 'DaemonSet'],
    ['Installation'],
  ],
])('%s', async (_name, objects, has, lacks) => {
  const { unfinished, covered } = await read(objects);
  expect(covered).toBe(true);
  expect(unfinished?.has.map(({ kind }) => kind) ?? null).toEqual(has);
  expect(unfinished?.lacks.map(({ kind }) => kind) ?? []).toEqual(lacks);
});

test('every operator, and which of them may act', async () => {
  const active = aConfigMap('calico-system', 'active-operator', { 'active-namespace': 'calico-networking' });
  const two = [operator(), operator('calico-networking')];
  expect((await read([...two, active])).operators).toEqual([
    { object: 'tigera-operator/Deployment/tigera-operator', version: 'v1.40.7', active: false },
    { object: 'calico-networking/Deployment/tigera-operator', version: 'v1.40.7', active: true },
  ]);
  expect((await read(two)).operators.map(({ active: one }) => one)).toEqual([null, null]);
  expect((await read([aNode({})])).operators).toEqual([]);
});

test('a move from a manifest, by its labels and by both agents', async () => {
  const label = (value: string) => ({ 'projectcalico.org/operator-node-migration': value });
  const nodes = ['pre-operator', 'migrated', 'migrated'].map((value, at) =>
    aNode({ name: `n-${at}`, labels: label(value) }),
  );
  expect((await read([...nodes, aNode({ name: 'n-9' })])).migration).toMatchObject({
    waiting: 1,
    migrated: 2,
    agents: [],
    evidence: [{ object: 'Node/n-0', value: 'pre-operator' }, {}, {}],
  });
  expect((await read([agent('kube-system'), agent('calico-system')])).migration?.agents).toEqual([
    'kube-system/DaemonSet/calico-node',
    'calico-system/DaemonSet/calico-node',
  ]);
  expect((await read([agent('calico-system')])).migration).toBeNull();
});

test('without the right to list definitions it is not known', async () => {
  const access = [{ verbs: ['*'], groups: ['', 'apps', 'operator.tigera.io'], resources: ['*'] }];
  expect((await read([aNode({})], access)).covered).toBe(false);
});
