import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { type KubeObject, openDump } from '#lib/kube/index.ts';
import { collectFacts } from './collect.ts';
import type { FactKey, Facts } from './schema.ts';
import {
  aDaemonSet,
  aDeployment,
  aNode,
  aProxy,
  kubeadmConfig,
  kubernetesObjects,
  standardCluster,
} from './testing/sample-cluster.ts';

let folder = '';
beforeAll(() => {
  folder = testFolder('dump');
});

let files = 0;
async function dumpOf(...objects: (KubeObject | Record<string, unknown>)[]): Promise<Facts> {
  const file = join(folder, `dump-${files++}.json`);
  await writeFile(
    file,
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects.filter(({ items }) => !items) }),
  );
  const lists = objects.filter(({ items }) => items);
  const more = join(folder, `lists-${files}.yaml`);
  await writeFile(more, lists.map((list) => `---\n${JSON.stringify(list)}`).join('\n'));
  return collectFacts({ kube: await openDump([file, more]) });
}

const covered = ({ coverage }: Facts, ...keys: FactKey[]) => keys.filter((key) => coverage[key].covered);

test('a whole dump tells what a live cluster does, but for what only a server can say', async () => {
  const facts = await dumpOf(...standardCluster());
  expect(facts.cluster).toMatchObject({ source: 'dump', kubernetesVersion: 'v1.36.3' });
  expect(facts.installation.method).toBe('operator');
  expect(facts.resources.tigeraStatuses).toHaveLength(1);
  expect(
    covered(facts, 'nodes', 'platform', 'installation', 'dataplane', 'proxy', 'endpoint', 'workloads', 'pools', 'helm'),
  ).toHaveLength(9);
  expect(covered(facts, 'access', 'apis', 'endpointProbe', 'logActions', 'sctp')).toEqual([]);
  expect(facts.coverage.logActions.missing.map(({ kind }) => kind)).toEqual([
    'NetworkPolicy.projectcalico.org',
    'GlobalNetworkPolicy.projectcalico.org',
  ]);
});

test('an empty typed list says that there are none', async () => {
  const facts = await dumpOf(
    aNode({}),
    { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicyList', items: [] },
    { apiVersion: 'projectcalico.org/v3', kind: 'GlobalNetworkPolicyList', items: [] },
    { apiVersion: 'projectcalico.org/v3', kind: 'NetworkPolicyList', items: [] },
    { apiVersion: 'v1', kind: 'ServiceList', items: [] },
  );
  expect(covered(facts, 'logActions', 'sctp')).toEqual(['logActions', 'sctp']);
  // Every cluster has the Service default/kubernetes: a list without it is not all of them.
  expect(covered(facts, 'clusterIPs')).toEqual([]);
});

test('a dump without any node says nothing about nodes, with an empty list of them or without', async () => {
  const facts = await dumpOf(kubeadmConfig, { apiVersion: 'v1', kind: 'NodeList', items: [] });
  expect(covered(facts, 'nodes')).toEqual([]);
  // … but kubeadm's ConfigMap alone tells the platform.
  expect(facts.platform.kind).toBe('kubeadm');
  expect(covered(facts, 'platform', 'serviceCIDRs')).toHaveLength(2);
});

test('one of several kinds is enough to tell', async () => {
  const slice = kubernetesObjects().slice(1);
  const cidr = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'ServiceCIDR',
    metadata: { name: 'kubernetes' },
    spec: { cidrs: ['10.96.0.0/12'] },
  };
  const facts = await dumpOf(...slice, cidr, aProxy());
  expect(facts.cluster.serviceCIDRs).toEqual(['10.96.0.0/12']);
  expect(covered(facts, 'serviceCIDRs', 'apiServers', 'proxy')).toEqual(['serviceCIDRs', 'apiServers']);
  expect(facts.proxy).toMatchObject({ kind: 'daemonset', running: true, mode: 'unknown' });
});

test('without nodes the platform is not known, and neither is that there is no proxy', async () => {
  const facts = await dumpOf(
    ...standardCluster().filter(({ kind, metadata }) => {
      return kind !== 'Node' && metadata.name !== 'kubeadm-config' && metadata.name !== 'kube-proxy';
    }),
  );
  expect(facts.platform.kind).toBe('generic');
  // MKE, K3s and others run one that is nowhere in the API.
  expect(facts.proxy).toMatchObject({ kind: 'unknown', running: null });
  expect(covered(facts, 'proxy')).toEqual([]);
});

test('a ClusterIP is no service range', async () => {
  const facts = await dumpOf(...kubernetesObjects());
  expect(facts.cluster.serviceCIDRs).toEqual([]);
  expect(covered(facts, 'serviceCIDRs')).toEqual([]);
});

test('both names of a Calico kind in one dump: all objects, each once', async () => {
  const pool = (apiVersion: string, name: string) => ({
    apiVersion,
    kind: 'IPPool',
    metadata: { name },
    spec: { cidr: '10.0.0.0/8' },
  });
  const facts = await dumpOf(
    pool('crd.projectcalico.org/v1', 'a'),
    pool('projectcalico.org/v3', 'a'),
    pool('projectcalico.org/v3', 'b'),
  );
  expect(facts.pools.map(({ name }) => name)).toEqual(['a', 'b']);
});

const felixForms = {
  datastore: {
    apiVersion: 'crd.projectcalico.org/v1',
    kind: 'FelixConfiguration',
    metadata: { name: 'default', labels: { 'argocd.argoproj.io/instance': 'calico' } },
    spec: {
      bpfEnabled: false,
      floatingIPs: 'Disabled',
      policySyncPathPrefix: '',
      bpfExcludeCIDRsFromNAT: ['10.96.0.10/32'],
    },
  },
  calicoctl: {
    apiVersion: 'projectcalico.org/v3',
    kind: 'FelixConfigurationList',
    metadata: { resourceVersion: '7' },
    items: [
      {
        apiVersion: 'projectcalico.org/v3',
        kind: 'FelixConfiguration',
        metadata: { name: 'default' },
        spec: { bpfEnabled: true, floatingIPs: 'Enabled', policySyncPathPrefix: '/var/run/nodeagent' },
      },
    ],
  },
  'none by calicoctl': { apiVersion: 'projectcalico.org/v3', kind: 'FelixConfigurationList', items: [] } as never,
};

/** A cache at the address of a Service that the datastore's form alone takes out of NAT. */
const dnsCache = [
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'kube-system', name: 'kube-dns' },
    spec: { clusterIP: '10.96.0.10', ports: [{ port: 53 }] },
  },
  aDaemonSet({
    namespace: 'kube-system',
    name: 'node-local-dns',
    containers: [
      {
        name: 'node-cache',
        image: 'registry.k8s.io/dns/k8s-dns-node-cache:1.23.1',
        command: ['/node-cache', '-localip', '10.96.0.10'],
      },
    ],
  }),
] as KubeObject[];

test.each([
  ['kubernetes', ['datastore'], 'crd.projectcalico.org/v1'],
  ['kubernetes', ['calicoctl'], 'projectcalico.org/v3'],
  // The operator's annotations are on the datastore's own.
  ['kubernetes', ['datastore', 'calicoctl'], 'crd.projectcalico.org/v1'],
  ['etcd', ['calicoctl'], 'projectcalico.org/v3'],
  // No agent reads what lies in the API while the datastore is etcd.
  ['etcd', ['datastore', 'calicoctl'], 'projectcalico.org/v3'],
  ['etcd', ['datastore'], null],
  // Felix uses its defaults.
  ['etcd', ['none by calicoctl'], 'none'],
  ['etcd', [], null],
] as const)('FelixConfiguration in %s, dumped from %j: every fact uses the same', async (datastore, forms, used) => {
  const env =
    datastore === 'etcd'
      ? [{ name: 'ETCD_ENDPOINTS', value: 'https://10.0.0.5:2379' }]
      : [{ name: 'DATASTORE_TYPE', value: 'kubernetes' }];
  const image = 'docker.io/calico/node:v3.27.5';
  const facts = await dumpOf(
    ...kubernetesObjects(),
    ...dnsCache,
    aDaemonSet({ namespace: 'kube-system', name: 'calico-node', containers: [{ name: 'calico-node', image, env }] }),
    ...forms.map((form) => felixForms[form]),
  );
  expect(facts.installation.method).toBe(datastore === 'etcd' ? 'manifest-etcd' : 'manifest-kdd');
  const isRead = used !== null;
  const isOn = used === 'projectcalico.org/v3';
  expect(facts.resources.objects['FelixConfiguration/default']?.apiVersion ?? null).toBe(used === 'none' ? null : used);
  expect(facts.coverage.felix.covered).toBe(isRead);
  expect(facts.installation.dataplane.actual).toBe(isRead ? (isOn ? 'BPF' : 'Iptables') : 'unknown');
  expect(facts.features.floatingIps.map(({ kind }) => kind)).toEqual(isOn ? ['FelixConfiguration'] : []);
  expect(facts.features.applicationLayerPolicies.map(({ kind }) => kind)).toEqual(isOn ? ['FelixConfiguration'] : []);
  const isOfDatastore = used === 'crd.projectcalico.org/v1';
  expect(facts.features.nodeLocalDnsCaches[0]?.services.map(({ isInCidrs }) => isInCidrs)).toEqual([isOfDatastore]);
  expect(facts.resources.ownership.map(({ by }) => by)).toEqual(isOfDatastore ? ['argocd'] : []);
  const ofFelix = (key: FactKey) =>
    facts.coverage[key].missing.filter(({ kind }) => kind === 'FelixConfiguration.projectcalico.org');
  for (const key of ['felix', 'dataplane', 'floatingIps', 'applicationLayerPolicies'] as const)
    expect([key, ofFelix(key).length > 0]).toEqual([key, !isRead]);
});

const loud = (apiVersion: string, kind: string, namespace?: string): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: 'default.loud', ...(namespace ? { namespace } : {}) },
  spec: { ingress: [{ action: 'Log', protocol: 'SCTP' }], cidr: '10.8.0.0/16', interfaceName: '*' },
});
const v3 = 'projectcalico.org/v3';
const calicosKinds = ['GlobalNetworkPolicy', 'NetworkPolicy', 'IPPool', 'HostEndpoint'] as const;
const objectsIn = (apiVersion: string) =>
  calicosKinds.map((kind) => loud(apiVersion, kind, kind === 'NetworkPolicy' ? 'web' : undefined));

/** By form of the objects and datastore: whether it is known, and how many policies, pools and host endpoints count. */
test.each([
  ['kubernetes', [], ['crd.projectcalico.org/v1'], true, 2],
  ['kubernetes', [], [v3], true, 2],
  ['kubernetes', [], ['crd.projectcalico.org/v1', v3], true, 2],
  ['etcd', [], [v3], true, 2],
  ['etcd', [], ['crd.projectcalico.org/v1', v3], true, 2],
  // `calicoctl get` of what there is none of.
  ['etcd', [v3], [], true, 0],
  ['etcd', [v3], ['crd.projectcalico.org/v1'], true, 0],
  ['etcd', ['crd.projectcalico.org/v1'], [], false, 0],
  // No agent reads what lies in the API while the datastore is etcd.
  ['etcd', [], ['crd.projectcalico.org/v1'], false, 0],
] as const)(
  "Calico's kinds in %s, dumped as empty lists of %j and objects of %j: known %s",
  async (datastore, empty, forms, isKnown, count) => {
    const env =
      datastore === 'etcd'
        ? [{ name: 'ETCD_ENDPOINTS', value: 'https://10.0.0.5:2379' }]
        : [{ name: 'DATASTORE_TYPE', value: 'kubernetes' }];
    const image = 'docker.io/calico/node:v3.27.5';
    const lists = empty.flatMap((apiVersion) =>
      calicosKinds.map((kind) => ({ apiVersion, kind: `${kind}List`, items: [] })),
    );
    const { features, pools, upgrade, coverage } = await dumpOf(
      ...kubernetesObjects(),
      aDaemonSet({ namespace: 'kube-system', name: 'calico-node', containers: [{ name: 'calico-node', image, env }] }),
      ...(lists as never[]),
      ...forms.flatMap(objectsIn),
    );
    const counts = [features.logActions, features.sctp.filter(({ kind }) => kind !== 'Service')].map(
      (found) => found.length,
    );
    expect(counts).toEqual([count, count]);
    expect(upgrade.defaultTierPolicies.count).toBe(count);
    expect([pools.length, upgrade.hostEndpoints.allInterfaces.length]).toEqual([count / 2, count / 2]);
    for (const key of ['logActions', 'pools', 'upgradePolicies'] as const)
      expect([key, coverage[key].covered]).toEqual([key, isKnown]);
    const hidden = coverage.sctp.missing.some(({ because }) => because.includes('in etcd'));
    expect(hidden).toBe(!isKnown);
  },
);

test('without the agents nothing says that data is not in etcd: an empty list of the datastore passes for none of it', async () => {
  const lists = calicosKinds.map((kind) => ({
    apiVersion: 'crd.projectcalico.org/v1',
    kind: `${kind}List`,
    items: [],
  }));
  const { coverage, installation } = await dumpOf(
    ...kubernetesObjects().filter(({ kind }) => kind !== 'DaemonSet'),
    ...(lists as never[]),
  );
  expect(installation.method).toBe('unknown');
  for (const key of ['logActions', 'pools', 'upgradePolicies'] as const)
    expect([key, coverage[key].covered]).toEqual([key, false]);
});

test('an empty dump is no error, and nothing is covered', async () => {
  const facts = await dumpOf();
  expect(Object.values(facts.coverage).some((one) => one.covered)).toBe(false);
  expect(facts.installation.method).toBe('unknown');
});

test('a list that was cut is not all of them: one that is there counts, and none of them passes for none', async () => {
  const page = (kind: string, items: unknown[]) => ({
    apiVersion: 'apps/v1',
    kind: `${kind}List`,
    metadata: { continue: 'abc' },
    items,
  });
  const facts = await dumpOf(aNode({}), kubeadmConfig, page('DaemonSet', []), page('Deployment', []));
  expect(covered(facts, 'proxy', 'operator')).toEqual([]);
  expect(facts.coverage.operator.missing).toEqual([
    {
      kind: 'Deployment.apps',
      because: 'the dump has no Deployment.apps beyond the first page of their list',
    },
  ]);
  const found = await dumpOf(aNode({}), kubeadmConfig, page('DaemonSet', [aProxy()]));
  expect(found.proxy.kind).toBe('daemonset');
});

test("the operator's agents tell how Calico came here, and not what people set: that is in the Installation", async () => {
  const others = standardCluster().filter(({ kind }) => kind !== 'Installation');
  const facts = await dumpOf(...others);
  expect(facts.installation.method).toBe('operator');
  expect(facts.coverage.installation.missing.map(({ kind }) => kind)).toEqual(['Installation.operator.tigera.io']);
  const none = { apiVersion: 'operator.tigera.io/v1', kind: 'InstallationList', items: [] };
  expect(covered(await dumpOf(...others, none), 'installation')).toEqual(['installation']);
});

test('an operator that a partial list of Deployments does not hold is not known to be away', async () => {
  const coredns = aDeployment({ namespace: 'kube-system', name: 'coredns', image: 'coredns' });
  const others = standardCluster().filter(({ kind }) => kind !== 'Deployment');
  const facts = await dumpOf(...others, coredns);
  expect(facts.resources.objects).not.toHaveProperty(['tigera-operator/Deployment/tigera-operator']);
  expect(covered(facts, 'operator', 'hostPorts')).toEqual([]);
});

test('a list of one namespace alone is a part of it: nothing passes by it', async () => {
  const daemonSet = (namespace: string) => ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { namespace, name: 'log-collector' },
    spec: {},
  });
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { namespace: 'web', name: 'shop' }, spec: {} };
  const partial = await dumpOf(aNode({}), daemonSet('web'), service);
  expect(covered(partial, 'nodeLocalDns', 'loadBalancers', 'sctp')).toEqual([]);
  expect(partial.coverage.loadBalancers.missing).toEqual([
    {
      kind: 'Service',
      because: 'the dump has no Service default/kubernetes, which every cluster has: their list is incomplete',
    },
  ]);
  const kubernetes = { ...service, metadata: { namespace: 'default', name: 'kubernetes' } };
  const complete = await dumpOf(aNode({}), daemonSet('kube-system'), service, kubernetes);
  expect(covered(complete, 'nodeLocalDns', 'loadBalancers')).toEqual(['nodeLocalDns', 'loadBalancers']);
});
