import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { collectFacts } from '../collect.ts';
import {
  aConfigMap,
  aDaemonSet,
  aDeployment,
  aFelixConfiguration,
  agentContainers,
  aNode,
  anInstallation,
  standardCluster,
} from '../testing/sample-cluster.ts';

const kinds = Object.values(resources).filter(({ group }) => !group.includes('openshift'));

async function read(objects: KubeObject[]) {
  return collectFacts({ kube: createStore({ name: 'lab', source: 'live', kinds, objects: [aNode({}), ...objects] }) });
}

type Variables = Record<string, string>;

function aManifest(
  env: Variables,
  more: { name?: string; namespace?: string; image?: string; pods?: number } = {},
): KubeObject {
  const variables = Object.entries(env).map(([name, value]) => ({ name, value }));
  const image = more.image ?? 'docker.io/calico/node:v3.27.5';
  return {
    ...aDaemonSet({
      namespace: more.namespace ?? 'kube-system',
      name: more.name ?? 'calico-node',
      initContainers: [{ name: 'install-cni' }],
      containers: [{ name: 'calico-node', image, env: variables }],
    }),
    ...(more.pods === undefined ? {} : { status: { desiredNumberScheduled: more.pods } }),
  };
}

const kdd = { DATASTORE_TYPE: 'kubernetes' };
const etcd = { ETCD_ENDPOINTS: 'https://10.0.0.5:2379' };
const typha = aDeployment({ namespace: 'kube-system', name: 'calico-typha', image: 'calico/typha:v3.27.5' });

test.each<[string, KubeObject[], Record<string, unknown>]>([
  [
    'calico.yaml',
    [aManifest(kdd)],
    { method: 'manifest-kdd', manifest: 'calico', datastore: 'kubernetes', version: 'v3.27.5' },
  ],
  ['calico-vxlan.yaml', [aManifest({ ...kdd, CALICO_NETWORKING_BACKEND: 'vxlan' })], { manifest: 'calico-vxlan' }],
  ['calico-typha.yaml', [aManifest(kdd), typha], { manifest: 'calico-typha' }],
  ['calico-bpf.yaml', [aManifest({ ...kdd, FELIX_BPFENABLED: 'true' })], { manifest: 'calico-bpf' }],
  [
    'calico-policy-only.yaml',
    [aManifest({ ...kdd, CALICO_NETWORKING_BACKEND: 'none', CALICO_MANAGE_CNI: 'false' }), typha],
    { manifest: 'policy-only' },
  ],
  ['canal.yaml', [aManifest(kdd, { name: 'canal' })], { method: 'manifest-kdd', manifest: 'canal' }],
  ['calico-etcd.yaml', [aManifest(etcd)], { method: 'manifest-etcd', manifest: 'calico-etcd', datastore: 'etcd' }],
  [
    'canal-etcd.yaml',
    [aManifest(etcd, { name: 'canal-node' })],
    { method: 'manifest-etcd', manifest: 'canal-etcd', agent: 'kube-system/DaemonSet/canal-node' },
  ],
  ['nothing', [], { method: 'none', manifest: null, version: null, datastore: null, namespace: null }],
  ['an agent that says nothing of its datastore', [aManifest({})], { method: 'unknown' }],
  [
    'an agent in a namespace of its own',
    [aManifest(kdd, { namespace: 'networking' })],
    { method: 'unknown', agent: 'networking/DaemonSet/calico-node', namespace: 'networking' },
  ],
  [
    'one that was scheduled away',
    [aManifest(kdd, { namespace: 'networking', pods: 0 })],
    { method: 'none', agent: null },
  ],
  [
    'an image by digest',
    [aManifest(kdd, { image: 'calico/node@sha256:00' })],
    { method: 'manifest-kdd', version: null },
  ],
])('%s', async (_name, objects, expected) => {
  const { installation } = await read(objects);
  expect(installation).toMatchObject({
    ...expected,
    endpointNamespace: String(expected.method ?? 'manifest').startsWith('manifest') ? 'kube-system' : 'tigera-operator',
  });
});

test('by operator, and by Helm where Helm marked it', async () => {
  expect((await read([anInstallation()])).installation).toMatchObject({ method: 'operator', cni: 'Calico' });
  const marked = anInstallation();
  marked.metadata.annotations = {
    'meta.helm.sh/release-name': 'calico',
    'meta.helm.sh/release-namespace': 'tigera-operator',
  };
  const { installation, resources: read2 } = await read([marked]);
  expect(installation.method).toBe('helm');
  expect(read2.helmReleases).toMatchObject([{ name: 'calico', namespace: 'tigera-operator', values: null }]);
});

test('a CNI that an Installation does not say legibly is not guessed from the container that every agent has', async () => {
  const agent = { ...aManifest(kdd), metadata: { name: 'calico-node', namespace: 'calico-system' } };
  const illegible = anInstallation();
  illegible.spec = { ...Object(illegible.spec), cni: { type: {} } };
  delete illegible.status;
  expect((await read([agent, illegible])).installation.cni).toBeNull();
  expect((await read([aManifest(kdd)])).installation.cni).toBe('Calico');
});

test('the operator alone is no installation; its version tells which Calico it would make', async () => {
  const operator = aDeployment({
    namespace: 'tigera-operator',
    name: 'tigera-operator',
    image: 'quay.io/tigera/operator:v1.40.7',
  });
  expect((await read([operator])).installation).toMatchObject({
    method: 'none',
    operatorVersion: 'v1.40.7',
    version: null,
  });
  const installation = anInstallation();
  delete installation.status;
  expect((await read([operator, installation])).installation.version).toBe('v3.31.4');
});

test('an operator elsewhere reads its ConfigMap there', async () => {
  const operator = aDeployment({
    namespace: 'platform',
    name: 'tigera-operator',
    image: 'quay.io/tigera/operator:v1.40.7',
  });
  const facts = await read([operator, anInstallation()]);
  expect(facts.installation.endpointNamespace).toBe('platform');
  expect(facts.resources.objects).toMatchObject({
    'platform/Deployment/tigera-operator': { kind: 'Deployment' },
    'platform/ConfigMap/kubernetes-services-endpoint': null,
  });
});

test.each([
  ['off', 'Iptables', { bpfEnabled: false }, [], { wanted: 'Iptables', actual: 'Iptables' }, 0],
  ['on', 'BPF', { bpfEnabled: true }, [], { wanted: 'BPF', actual: 'BPF' }, 0],
  [
    'on its way: nftables first',
    'BPF',
    { bpfEnabled: false, nftablesMode: 'Enabled' },
    [],
    { wanted: 'BPF', actual: 'Nftables' },
    0,
  ],
  [
    'one node differs',
    'BPF',
    { bpfEnabled: true },
    [aFelixConfiguration('node.worker-1', { bpfEnabled: false })],
    { wanted: 'BPF', actual: 'mixed' },
    1,
  ],
  [
    'a configuration of a node that is gone',
    'BPF',
    { bpfEnabled: true },
    [aFelixConfiguration('node.gone', { bpfEnabled: false })],
    { wanted: 'BPF', actual: 'BPF' },
    0,
  ],
])('data plane %s', async (_name, linuxDataplane, spec, more, expected, deviating) => {
  const objects = standardCluster().filter(({ kind }) => kind !== 'Installation' && kind !== 'FelixConfiguration');
  const { installation } = await read([
    ...objects,
    anInstallation(linuxDataplane),
    aFelixConfiguration('default', spec),
    ...more,
  ]);
  expect(installation.dataplane).toEqual(expected);
  expect(installation.deviatingNodes).toHaveLength(deviating);
});

test('of nodes with a cleanup of their own those are read that exist, and turn it on', async () => {
  const field = 'bpfKubeProxyIptablesCleanupEnabled';
  const { installation } = await read([
    ...standardCluster(),
    aFelixConfiguration('node.worker-1', { [field]: true }),
    aFelixConfiguration('node.worker-2', { [field]: false }),
    aFelixConfiguration('node.gone', { [field]: true }),
  ]);
  expect(installation.cleaningUp).toEqual([
    { kind: 'FelixConfiguration', namespace: null, name: 'node.worker-1', detail: `sets ${field}: true` },
  ]);
  expect(installation.deviatingNodes).toEqual([]);
});

test('FELIX_BPFENABLED on an operator’s agent contradicts the default, and beats it', async () => {
  const env = [{ name: 'FELIX_BPFENABLED', value: 'true' }];
  const { installation } = await read([
    anInstallation(),
    aFelixConfiguration('default', { bpfEnabled: false }),
    aDaemonSet({ namespace: 'calico-system', name: 'calico-node', ...agentContainers(env) }),
  ]);
  expect(installation.dataplane.actual).toBe('BPF');
  expect(installation.deviatingNodes).toEqual([
    {
      kind: 'DaemonSet',
      namespace: 'calico-system',
      name: 'calico-node',
      detail: 'FELIX_BPFENABLED=true overrides bpfEnabled: false on all of its nodes',
    },
  ]);
});

test('by manifest the variable alone decides', async () => {
  const { installation } = await read([aManifest({ ...kdd, FELIX_BPFENABLED: 'true' })]);
  expect(installation.dataplane).toEqual({ wanted: null, actual: 'BPF', byEnvironment: true });
  expect(installation.deviatingNodes).toEqual([]);
});

test('in etcd Calico’s own API tells the version, and what another datastore left behind does not', async () => {
  const spec = { calicoVersion: 'v3.20.0', clusterType: 'k8s' };
  const left = {
    apiVersion: 'crd.projectcalico.org/v1',
    kind: 'ClusterInformation',
    metadata: { name: 'default' },
    spec,
  };
  expect((await read([aManifest(etcd), left])).installation.version).toBe('v3.27.5');
  const served = { ...left, apiVersion: 'projectcalico.org/v3', spec: { ...spec, calicoVersion: 'v3.26.1' } };
  expect((await read([aManifest(etcd), left, served])).installation.version).toBe('v3.26.1');
});

test('the contents of etcd are unknown', async () => {
  const { installation, coverage } = await read([aManifest(etcd)]);
  expect(installation.dataplane.actual).toBe('unknown');
  expect(coverage.felix.covered).toBe(false);
});

test('variables that a manifest takes from its ConfigMaps', async () => {
  const daemonSet = aDaemonSet({
    namespace: 'kube-system',
    name: 'calico-node',
    containers: [
      {
        name: 'calico-node',
        env: [{ name: 'DATASTORE_TYPE', value: 'kubernetes' }],
        envFrom: [{ configMapRef: { name: 'kubernetes-services-endpoint', optional: true } }],
      },
    ],
  });
  const { endpoint } = await read([
    daemonSet,
    aConfigMap('kube-system', 'kubernetes-services-endpoint', {
      KUBERNETES_SERVICE_HOST: '198.18.0.10',
      KUBERNETES_SERVICE_PORT: '6443',
    }),
  ]);
  expect(endpoint.configMap).toEqual({ namespace: 'kube-system', host: '198.18.0.10', port: '6443' });
  expect(endpoint.inUse).toEqual([
    { object: 'kube-system/DaemonSet/calico-node', container: 'calico-node', host: '198.18.0.10', port: '6443' },
  ]);
});
