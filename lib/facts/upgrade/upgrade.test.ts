import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { collectFacts } from '../collect.ts';
import { standardCluster } from '../testing/sample-cluster.ts';

const choices = { goal: 'upgrade', acknowledge: {}, fix: [], acceptProposals: false, set: {} } as const;
const served = Object.values(resources).filter(({ group }) => !group.includes('openshift'));

async function upgradeFacts(
  objects: KubeObject[],
  source: 'live' | 'dump' = 'live',
  goal: 'upgrade' | 'enable' = 'upgrade',
) {
  const kube = createStore({ name: 'lab', source, version: 'v1.36.3', kinds: served, objects });
  return collectFacts({ kube, choices: { ...choices, fix: [], goal } });
}

const at = (version: string): KubeObject[] =>
  standardCluster().map((object) => JSON.parse(JSON.stringify(object).replaceAll('v3.31.4', version)));

const aPod = (name: string, image: string, more: Partial<KubeObject['metadata']> = {}, container = 'calicoctl') => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'kube-system', name, ...more },
  spec: { containers: [{ name: container, image }] },
});

test('a healthy cluster has nothing of all that, and says so', async () => {
  const { upgrade, coverage } = await upgradeFacts(standardCluster());
  expect(upgrade).toMatchObject({ imageSets: [], ownerReferences: [], calicoctls: [], sidecars: [], stuck: [] });
  for (const key of [
    'imageSets',
    'definitions',
    'hostEndpoints',
    'upgradePolicies',
    'calicoctls',
    'sidecars',
    'rollouts',
    'users',
    'manifestConfig',
  ] as const)
    expect(coverage[key], key).toEqual({ covered: true, missing: [] });
});

test.each<[string, RegExp, (object: KubeObject) => KubeObject, string[]]>([
  [
    'a Deployment for which no node has the label',
    /^Deployment tigera-operator$/,
    withPod({ nodeSelector: { 'example.test/infra': 'yes' } }),
    ['no-node Deployment/tigera-operator: no node takes its pod (', 'nodeSelector asks for example.test/infra=yes'],
  ],
  [
    'nodes that are cordoned',
    /^Node /,
    (one) => ({ ...one, spec: { ...Object(one.spec), unschedulable: true } }),
    ['no-node Deployment/tigera-operator', ': cordoned)'],
  ],
  [
    'a paused Deployment',
    /^Deployment tigera-operator$/,
    (one) => ({ ...one, spec: { ...Object(one.spec), paused: true } }),
    ['paused Deployment/tigera-operator: its rollout is paused'],
  ],
  [
    'agents that wait to be deleted',
    /^DaemonSet calico-node$/,
    (one) => ({ ...one, spec: { ...Object(one.spec), updateStrategy: { type: 'OnDelete' } } }),
    ['on-delete DaemonSet/calico-node'],
  ],
  ['agents that the operator must not touch', /^DaemonSet calico-node$/, ignored, ['ignored DaemonSet/calico-node']],
  ['the operator itself, which it does not write', /^Deployment tigera-operator$/, ignored, []],
  [
    'a selector that a node has',
    /^Deployment tigera-operator$/,
    withPod({ nodeSelector: { 'kubernetes.io/os': 'linux' } }),
    [],
  ],
])('%s', async (_name, which, change, expected) => {
  const objects = standardCluster().map((one) => (which.test(`${one.kind} ${one.metadata.name}`) ? change(one) : one));
  const { upgrade } = await upgradeFacts(objects);
  const lines = upgrade.stuck.map(({ subject: { kind, name, detail }, by }) => `${by} ${kind}/${name}: ${detail}`);
  expect(lines.length > 0).toBe(expected.length > 0);
  for (const part of expected) expect(lines.join('\n')).toContain(part);
});

function ignored(one: KubeObject): KubeObject {
  const annotations = { 'unsupported.operator.tigera.io/ignore': 'true' };
  return { ...one, metadata: { ...one.metadata, annotations } };
}

function withPod(more: object) {
  return (one: KubeObject): KubeObject => {
    const spec = Object(one.spec);
    return { ...one, spec: { ...spec, template: { ...spec.template, spec: { ...spec.template.spec, ...more } } } };
  };
}

test('host endpoints: whose they are is told by label, wherever the label stands, or by name', async () => {
  const endpoint = (name: string, metadata: Partial<KubeObject['metadata']> = {}, interfaceName = '*') => ({
    apiVersion: 'crd.projectcalico.org/v1',
    kind: 'HostEndpoint',
    metadata: { name, ...metadata },
    spec: { interfaceName, node: 'worker-1' },
  });
  const stored = '{"labels":{"projectcalico.org/created-by":"calico-kube-controllers"}}';
  const { upgrade } = await upgradeFacts([
    ...standardCluster(),
    endpoint('by-hand'),
    endpoint('eth0-only', {}, 'eth0'),
    endpoint('worker-1-auto-hep'),
    endpoint('labelled', { labels: { 'projectcalico.org/created-by': 'calico-kube-controllers' } }),
    endpoint('stored', { annotations: { 'projectcalico.org/metadata': stored } }),
    endpoint('nonsense', { annotations: { 'projectcalico.org/metadata': '{' } }),
    {
      apiVersion: 'crd.projectcalico.org/v1',
      kind: 'KubeControllersConfiguration',
      metadata: { name: 'default' },
      spec: { controllers: { node: { hostEndpoint: { autoCreate: 'Enabled' } } } },
    },
  ]);
  expect(upgrade.hostEndpoints).toMatchObject({
    autoCreate: 'Enabled',
    automatic: 3,
    allInterfaces: ['by-hand', 'nonsense'].map((name) => ({
      kind: 'HostEndpoint',
      namespace: null,
      name,
      detail: 'all interfaces of worker-1',
    })),
  });
});

test('policies of the default tier are counted, and the temporary one is found under both its names', async () => {
  const policy = (name: string, tier?: string) => ({
    apiVersion: 'crd.projectcalico.org/v1',
    kind: 'GlobalNetworkPolicy',
    metadata: { name },
    spec: tier === undefined ? {} : { tier },
  });
  const { upgrade } = await upgradeFacts([
    ...standardCluster(),
    policy('default.allow-dns', 'default'),
    policy('old-style'),
    policy('allow-tigera.cluster-dns', 'allow-tigera'),
    policy('default.allow-all-upgrade', 'default'),
    policy('not-allow-all-upgrade', 'default'),
  ]);
  expect(upgrade.defaultTierPolicies.count).toBe(4);
  expect(upgrade.temporaryPolicies.map(({ name }) => name)).toEqual(['default.allow-all-upgrade']);
});

test('the network CLI is found by the name of its pod, and its version in its image', async () => {
  const { upgrade } = await upgradeFacts([
    ...standardCluster(),
    aPod('calicoctl', 'docker.io/calico/ctl:v3.27.5'),
    aPod('my-calicoctl-0', 'mirror.example:5000/ctl@sha256:0'),
    aPod('calicoctl-docs', 'nginx:1.27'),
    aPod('calico-controller', 'quay.io/calico/ctl:v3.0.0'),
  ]);
  expect(upgrade.calicoctls.map(({ subject: { name }, version }) => [name, version])).toEqual([
    ['calicoctl', 'v3.27.5'],
    ['my-calicoctl-0', null],
  ]);
});

test('sidecars: one row a workload, from its oldest pod', async () => {
  const status = '{"containers":["istio-proxy","dikastes"],"volumes":["dikastes-sock"]}';
  const injected = (name: string, version: string, created: string) =>
    aPod(
      name,
      `quay.io/calico/dikastes:${version}`,
      {
        namespace: 'shop',
        creationTimestamp: created,
        labels: { 'pod-template-hash': '6d4b75cb6d' },
        annotations: { 'sidecar.istio.io/status': status },
        ownerReferences: [
          { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'cart-6d4b75cb6d', uid: '1', controller: true },
        ],
      },
      'dikastes',
    );
  const { upgrade } = await upgradeFacts([
    ...standardCluster(),
    injected('cart-6d4b75cb6d-b', 'v3.30.0', '2026-03-01T00:00:00Z'),
    injected('cart-6d4b75cb6d-a', 'v3.24.5', '2026-01-01T00:00:00Z'),
    aPod('plain', 'x', { annotations: { 'sidecar.istio.io/status': '{"containers":["istio-proxy"]}' } }),
  ]);
  expect(upgrade.sidecars).toEqual([
    {
      subject: {
        kind: 'Deployment',
        namespace: 'shop',
        name: 'cart',
        detail: 'carries quay.io/calico/dikastes:v3.24.5',
      },
      image: 'quay.io/calico/dikastes:v3.24.5',
      version: 'v3.24.5',
    },
  ]);
});

test('sidecars: one that stands in the template of its workload is told, since a restart keeps it', async () => {
  const cart = (name: string): KubeObject => ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { namespace: 'shop', name },
    spec: { template: { spec: { containers: name === 'by-hand' ? [{ name: 'dikastes' }] : [{ name: 'cart' }] } } },
  });
  const pod = (of: string) =>
    aPod(
      `${of}-0`,
      'quay.io/calico/dikastes:v3.24.5',
      {
        namespace: 'shop',
        annotations: { 'sidecar.istio.io/status': '{"containers":["dikastes"]}' },
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: of, uid: '1', controller: true }],
      },
      'dikastes',
    );
  const objects = [...standardCluster(), ...['by-hand', 'injected'].flatMap((name) => [cart(name), pod(name)])];
  const { upgrade } = await upgradeFacts(objects);
  expect(upgrade.sidecars.map(({ subject: { name }, inTemplate }) => [name, inTemplate])).toEqual([
    ['by-hand', true],
    ['injected', undefined],
  ]);
  // Without the right to read StatefulSets only their own rows are unknown: which pods carry a sidecar is still known.
  const resourcesRead = [...new Set(served.map(({ plural }) => plural))].filter((plural) => plural !== 'statefulsets');
  const access = [{ verbs: ['*'], groups: ['*'], resources: resourcesRead }];
  const kube = createStore({ name: 'lab', source: 'live', kinds: served, objects, access });
  const refused = await collectFacts({ kube, choices: { ...choices, fix: [] } });
  expect(refused.upgrade.sidecars.map(({ inTemplate }) => inTemplate)).toEqual(['unknown', 'unknown']);
  expect(refused.coverage.sidecars.missing.map(({ kind }) => kind)).toEqual(['StatefulSet.apps']);
});

test('sidecars: found without a mark of Istio by name or image in a template, and told once', async () => {
  const workload = (kind: string, name: string, containers: object[], more: object = {}): KubeObject => ({
    apiVersion: 'apps/v1',
    kind,
    metadata: { namespace: 'shop', name },
    spec: { template: { spec: { containers, ...more } } },
  });
  const owner = { apiVersion: 'operator.tigera.io/v1', kind: 'ApplicationLayer', name: 'tigera-secure', uid: '1' };
  const withOwner = (one: KubeObject): KubeObject => ({
    ...one,
    metadata: { ...one.metadata, ownerReferences: [{ ...owner, controller: true }] },
  });
  const app = { name: 'app', image: 'shop/dikastes-dashboard:v1.0.0' };
  const ofImage = { name: 'policy', image: 'mirror.example:5000/calico/dikastes:v3.24.5' };
  const ofName = { name: 'dikastes', image: 'mirror.example/alp@sha256:0' };
  const { upgrade, coverage } = await upgradeFacts([
    ...standardCluster(),
    workload('Deployment', 'by-image', [app, ofImage]),
    workload('DaemonSet', 'by-name', [ofName]),
    workload('StatefulSet', 'kept-running', [app], { initContainers: [ofImage] }),
    workload('Deployment', 'none', [app, { name: 'proxy', image: 'quay.io/mine/notdikastes:v1.0.0' }]),
    workload('StatefulSet', 'marked', [ofName]),
    withOwner(workload('DaemonSet', 'l7-log-collector', [ofName])),
    aPod('marked-0', 'quay.io/calico/dikastes:v3.24.5', {
      namespace: 'shop',
      annotations: { 'sidecar.istio.io/status': '{"containers":["istio-proxy","my-dikastes"]}' },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'marked', uid: '1', controller: true }],
    }),
  ]);
  expect(
    upgrade.sidecars.map(({ subject: { kind, name }, ...row }) => [kind, name, row.version, row.inTemplate]),
  ).toEqual([
    ['StatefulSet', 'marked', 'v3.24.5', true],
    ['Deployment', 'by-image', 'v3.24.5', true],
    ['DaemonSet', 'by-name', null, true],
    ['StatefulSet', 'kept-running', 'v3.24.5', true],
  ]);
  expect(coverage.sidecars).toEqual({ covered: true, missing: [] });
});

test('users: every kind of workload of kube-system with what its pods name; what a controller made is not told twice', async () => {
  const spec = { containers: [], volumes: [{ configMap: { name: 'old' } }] };
  const of = (kind: string, apiVersion: string, body: object, more: Partial<KubeObject['metadata']> = {}) => ({
    apiVersion,
    kind,
    metadata: { namespace: 'kube-system', name: `my-${kind.toLowerCase()}`, ...more },
    ...body,
  });
  const job = { apiVersion: 'batch/v1', kind: 'Job', name: 'my-job', uid: '1', controller: true };
  const inTemplate = { spec: { template: { spec } } };
  const { upgrade } = await upgradeFacts([
    ...standardCluster(),
    of('Deployment', 'apps/v1', inTemplate),
    of('DaemonSet', 'apps/v1', inTemplate),
    of('StatefulSet', 'apps/v1', inTemplate),
    of('Job', 'batch/v1', inTemplate),
    of('CronJob', 'batch/v1', { spec: { jobTemplate: inTemplate } }),
    of('Pod', 'v1', { spec }),
    of('Pod', 'v1', { spec }, { name: 'my-job-x', ownerReferences: [job] }),
    of('Deployment', 'apps/v1', inTemplate, { namespace: 'elsewhere' }),
  ]);
  const found = upgrade.users.filter(({ uses }) => uses.includes('kube-system/ConfigMap/old'));
  expect(found.map(({ user }) => user).sort()).toEqual(
    ['CronJob', 'DaemonSet', 'Deployment', 'Job', 'Pod', 'StatefulSet'].map(
      (kind) => `kube-system/${kind}/my-${kind.toLowerCase()}`,
    ),
  );
});

const owned = (name: string, apiVersion = 'projectcalico.org/v3'): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    namespace: 'shop',
    name,
    ownerReferences: [{ apiVersion, kind: 'NetworkPolicy', name: 'default.cart', uid: 'a' }],
  },
});

test('objects owned by Calico are found among all kinds where the upgrade may cross v3.28', async () => {
  const objects = [...at('v3.27.5'), owned('settings'), owned('other', 'example.com/v1')];
  const { upgrade, coverage } = await upgradeFacts(objects);
  expect(upgrade.ownerReferences).toEqual([
    {
      kind: 'ConfigMap',
      namespace: 'shop',
      name: 'settings',
      detail: 'owned by NetworkPolicy/default.cart of projectcalico.org/v3',
    },
  ]);
  expect(coverage.ownerReferences).toEqual({ covered: true, missing: [] });
});

test.each([
  ['another goal', 'v3.27.5', 'enable', 'only read before an upgrade'],
  ['a later version', 'v3.31.4', 'upgrade', 'Calico v3.31.4 has the later UIDs already'],
] as const)('not for %s, and that is said', async (_name, version, goal, because) => {
  const { upgrade, coverage } = await upgradeFacts([...at(version), owned('settings')], 'live', goal);
  expect(upgrade.ownerReferences).toEqual([]);
  expect(coverage.ownerReferences.missing).toEqual([{ kind: 'every kind', because, notAsked: true }]);
});

test('a kind that is refused is named with the rule that is missing', async () => {
  const plurals = [...new Set(served.map(({ plural }) => plural))].filter((plural) => plural !== 'configmaps');
  const access = [{ verbs: ['*'], groups: ['*'], resources: plurals }];
  const kube = createStore({ name: 'lab', source: 'live', kinds: served, objects: at('v3.27.5'), access });
  const { coverage } = await collectFacts({ kube, choices: { ...choices, fix: [] } });
  expect(coverage.ownerReferences.missing.map(({ kind, rule }) => [kind, rule?.verb])).toContainEqual([
    'ConfigMap',
    'list',
  ]);
});

test('a definition keeps a sum, its marks and who wrote its versions', async () => {
  const definition = (name: string, description: string): KubeObject => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name,
      annotations: {
        'controller-gen.kubebuilder.io/version': 'v0.11.3',
        'kubectl.kubernetes.io/last-applied-configuration': 'é'.repeat(1000),
      },
    },
    spec: {
      group: name.slice(name.indexOf('.') + 1),
      scope: 'Cluster',
      names: { plural: name.slice(0, name.indexOf('.')), kind: 'Thing' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', description } } },
      ],
    },
  });
  const names = ['things.operator.tigera.io', 'things.example.com'];
  const one = await upgradeFacts(names.map((name) => definition(name, 'a')));
  const other = await upgradeFacts(names.map((name) => definition(name, 'b')));
  const [fact] = one.upgrade.definitions;
  expect(one.upgrade.definitions).toHaveLength(1);
  expect(fact).toMatchObject({ name: 'things.operator.tigera.io', generator: 'v0.11.3', lastAppliedBytes: 2000 });
  expect(fact?.fingerprint).toMatch(/^[0-9a-f]{16}$/);
  expect(fact?.fingerprint).not.toBe(other.upgrade.definitions[0]?.fingerprint);
});

test('which global policies would select hosts, by the labels of nodes and those that their old endpoints bring', async () => {
  const crd = 'crd.projectcalico.org/v1';
  const aPolicy = (name: string, spec: object) => ({
    apiVersion: crd,
    kind: 'GlobalNetworkPolicy',
    metadata: { name },
    spec,
  });
  const [first] = standardCluster().filter(({ kind }) => kind === 'Node');
  const name = first?.metadata.name ?? '';
  const old = { apiVersion: crd, kind: 'HostEndpoint', metadata: { name: 'old', labels: { role: 'db' } } };
  const { upgrade } = await upgradeFacts([
    ...standardCluster(),
    { ...old, spec: { interfaceName: '*', node: name } },
    aPolicy('every-host', { selector: 'has(projectcalico.org/created-by)' }),
    aPolicy('as-before', { selector: "role == 'db'" }),
    aPolicy('copied', { selector: "role == 'db' && has(projectcalico.org/created-by)" }),
    aPolicy('pods-alone', { namespaceSelector: 'all()' }),
    aPolicy('odd', { selector: 'role =' }),
    aPolicy('endless', { selector: '('.repeat(3000) }),
    aPolicy('outside-of', { namespaceSelector: "projectcalico.org/name not in {'kube-system'}" }),
  ]);
  const { byHand, wouldSelect, selecting } = upgrade.hostEndpoints;
  expect(byHand).toEqual([{ name: 'old', node: name, labels: { role: 'db' }, profiles: [], ports: [] }]);
  const nodes = standardCluster().filter(({ kind }) => kind === 'Node').length;
  expect(wouldSelect.map(({ policy, nodes: selected }) => [policy, selected?.count ?? null]).toSorted()).toEqual([
    ['copied', 1],
    ['endless', null],
    ['every-host', nodes],
    ['odd', null],
    ['outside-of', nodes - 1],
  ]);
  expect(selecting.map(({ policy }) => policy).toSorted()).toEqual(['as-before', 'endless', 'odd', 'outside-of']);
});

test('policies that may not be listed do not count as none', async () => {
  const plurals = [...new Set(served.map(({ plural }) => plural))].filter((one) => one !== 'globalnetworkpolicies');
  const access = [{ verbs: ['*'], groups: ['*'], resources: plurals }];
  const kube = createStore({ name: 'lab', source: 'live', kinds: served, objects: standardCluster(), access });
  const { coverage } = await collectFacts({ kube, choices: { ...choices, fix: [] } });
  expect(coverage.hostEndpoints.covered).toBe(false);
});
