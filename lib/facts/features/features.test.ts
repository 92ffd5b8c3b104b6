import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { collectFacts } from '../collect.ts';
import { standardCluster } from '../testing/sample-cluster.ts';

const kinds = Object.values(resources).filter(({ group }) => !group.includes('openshift'));

async function featuresWith(...objects: KubeObject[]) {
  const kube = createStore({ name: 'lab', source: 'live', kinds, objects: [...standardCluster(), ...objects] });
  return (await collectFacts({ kube })).features;
}

const policy = (apiVersion: string, kind: string, name: string, spec: unknown, namespace?: string): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace ? { namespace } : {}) },
  spec,
});

test('floating IPs: by annotation, and by FelixConfiguration', async () => {
  const pod: KubeObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace: 'web',
      name: 'shop-1',
      annotations: { 'cni.projectcalico.org/floatingIPs': '["198.18.5.5"]' },
    },
  };
  const felix = policy('crd.projectcalico.org/v1', 'FelixConfiguration', 'node.worker-1', { floatingIPs: 'Enabled' });
  expect((await featuresWith(pod, felix)).floatingIps).toEqual([
    { kind: 'FelixConfiguration', namespace: null, name: 'node.worker-1', detail: 'floatingIPs: Enabled' },
    { kind: 'Pod', namespace: 'web', name: 'shop-1', detail: 'floating IPs ["198.18.5.5"]' },
  ]);
});

test('traffic limits: by annotation, each kind once, and none that is empty', async () => {
  const found = await featuresWith(
    pod('shop-1', {}, { 'kubernetes.io/ingress-bandwidth': '10M', 'kubernetes.io/egress-bandwidth': '1M' }),
    pod('shop-2', {}, { 'qos.projectcalico.org/egressMaxConnections': '5', 'qos.projectcalico.org/dscp': 'AF11' }),
    pod('shop-3', {}, { 'kubernetes.io/ingress-bandwidth': '' }),
  );
  expect(found.trafficLimits).toEqual([
    {
      kind: 'Pod',
      namespace: 'web',
      name: 'shop-1',
      detail: 'kubernetes.io/ingress-bandwidth 10M, kubernetes.io/egress-bandwidth 1M',
      limits: ['bandwidth-plugin'],
    },
    {
      kind: 'Pod',
      namespace: 'web',
      name: 'shop-2',
      detail: 'qos.projectcalico.org/egressMaxConnections 5',
      limits: ['connections'],
    },
  ]);
});

test('SCTP: in Services and in policies of every kind, by name and by number', async () => {
  const found = await featuresWith(
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { namespace: 'web', name: 'sig' },
      spec: { ports: [{ name: 'm3ua', port: 2905, protocol: 'SCTP' }, { port: 80 }] },
    },
    policy(
      'networking.k8s.io/v1',
      'NetworkPolicy',
      'allow',
      {
        egress: [
          {
            ports: [
              { protocol: 'TCP', port: 1 },
              { protocol: 'SCTP', port: 2 },
            ],
          },
        ],
      },
      'web',
    ),
    policy(
      'crd.projectcalico.org/v1',
      'NetworkPolicy',
      'default.a',
      { ingress: [{ action: 'Allow', protocol: 'SCTP' }] },
      'web',
    ),
    policy('crd.projectcalico.org/v1', 'GlobalNetworkPolicy', 'default.b', {
      egress: [{ action: 'Deny', protocol: 132 }],
    }),
    policy('crd.projectcalico.org/v1', 'GlobalNetworkPolicy', 'default.c', {
      egress: [{ action: 'Deny', notProtocol: 'SCTP' }],
    }),
  );
  expect(found.sctp).toEqual([
    { kind: 'Service', namespace: 'web', name: 'sig', detail: 'SCTP on m3ua' },
    { kind: 'NetworkPolicy', namespace: 'web', name: 'allow', detail: 'SCTP in spec.egress[0].ports[1]' },
    { kind: 'NetworkPolicy.projectcalico.org', namespace: 'web', name: 'default.a', detail: 'SCTP in spec.ingress[0]' },
    {
      kind: 'GlobalNetworkPolicy.projectcalico.org',
      namespace: null,
      name: 'default.b',
      detail: 'SCTP in spec.egress[0]',
    },
  ]);
});

test('action: Log, and not in the mirror of a Kubernetes policy', async () => {
  const found = await featuresWith(
    policy('crd.projectcalico.org/v1', 'GlobalNetworkPolicy', 'default.log', {
      ingress: [{ action: 'Allow' }, { action: 'Log' }],
    }),
    policy('crd.projectcalico.org/v1', 'NetworkPolicy', 'knp.default.x', { ingress: [{ action: 'Log' }] }, 'web'),
  );
  expect(found.logActions).toEqual([
    {
      kind: 'GlobalNetworkPolicy.projectcalico.org',
      namespace: null,
      name: 'default.log',
      detail: 'action: Log in spec.ingress[1]',
    },
  ]);
});

const pod = (name: string, labels: Record<string, string>, annotations: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'web', name, labels, annotations },
});

const workload = (kind: string, name: string, ports: unknown[], more: object = {}): KubeObject => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { namespace: 'web', name },
  spec: {
    template: {
      spec: { containers: [{ name: 'c', image: 'registry.k8s.io/dns/k8s-dns-node-cache:1.23.0', ports }], ...more },
    },
  },
});

test("host ports: of templates that are not on the host's network", async () => {
  const found = await featuresWith(
    workload('DaemonSet', 'ingress', [
      { containerPort: 80, hostPort: 80 },
      { containerPort: 443, hostPort: 443 },
    ]),
    workload('Deployment', 'plain', [{ containerPort: 80 }]),
    workload('StatefulSet', 'game', [{ containerPort: 7777, hostPort: 7777, protocol: 'UDP' }]),
    workload('DaemonSet', 'on-host', [{ containerPort: 9100, hostPort: 9100 }], { hostNetwork: true }),
  );
  expect(found.hostPorts.map(({ kind, name, detail }) => `${kind} ${name}: ${detail}`)).toEqual([
    'DaemonSet ingress: host port 80, 443',
    'StatefulSet game: host port 7777',
  ]);
});

const podWithPort = (name: string, more: object = {}): KubeObject => ({
  ...pod(name, {}),
  spec: { containers: [{ name: 'c', image: 'c', ports: [{ containerPort: 53, hostPort: 53 }] }] },
  ...more,
});

const madeBy = (name: string, replicaSet: string, labels: Record<string, string>): KubeObject => ({
  ...podWithPort(name),
  metadata: {
    namespace: 'web',
    name,
    labels,
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: replicaSet, uid: '1', controller: true }],
  },
});

test.each(['live', 'dump'] as const)('host ports of pods that no workload made (%s)', async (source) => {
  const objects = [
    ...standardCluster(),
    podWithPort('debug'),
    // A pod of a ReplicaSet without a Deployment, whose template is not read; and a pod of a Deployment's ReplicaSet.
    madeBy('web-x2k4z', 'web', {}),
    madeBy('shop-6d4b75cb6d-a1b2c', 'shop-6d4b75cb6d', { 'pod-template-hash': '6d4b75cb6d' }),
    podWithPort('done', { status: { phase: 'Succeeded' } }),
    podWithPort('on-host', { spec: { hostNetwork: true, containers: [{ name: 'c', image: 'c' }] } }),
    pod('plain', {}),
    // A list of pods without any of the system's is a part of it.
    { ...pod('coredns', {}), metadata: { namespace: 'kube-system', name: 'coredns' } },
  ];
  const { coverage, features } = await collectFacts({ kube: createStore({ name: 'lab', source, kinds, objects }) });
  expect(features.hostPorts.map(({ kind, name, detail }) => `${kind} ${name}: ${detail}`).sort()).toEqual([
    'Pod debug: host port 53',
    'Pod web-x2k4z: host port 53',
  ]);
  expect(features.otherPods).toEqual({ count: 0, first: [] });
  expect(coverage.hostPorts.covered).toBe(true);
});

test('pods that no workload made are read in one list of their namespace, and beyond so many not at all', async () => {
  const manyIn = (namespace: string, count: number, more: object) =>
    Array.from({ length: count }, (_, i) => {
      const one = podWithPort(`debug-${i}`, i % 100 === 0 ? {} : { spec: {} });
      return { ...one, metadata: { ...one.metadata, namespace, ...more } };
    });
  const ofDeployment = {
    labels: { 'pod-template-hash': 'h' },
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'shop-h', uid: '1', controller: true }],
  };
  const made = manyIn('few', 50, ofDeployment).map((one, i) => ({
    ...one,
    metadata: { ...one.metadata, name: `m-${i}` },
  }));
  const objects = [...standardCluster(), ...manyIn('jobs', 300, {}), ...manyIn('few', 1, {}), ...made];
  const requested: string[] = [];
  const readingOf = async (more: KubeObject[]) => {
    const kube = createStore({ name: 'lab', source: 'live', kinds, objects: [...objects, ...more] });
    const list: typeof kube.list = (resource, options) => {
      if (resource.plural === 'pods') requested.push(`${options?.namespace} ${options?.fieldSelector}`);
      return kube.list(resource, options);
    };
    return (await collectFacts({ kube: { ...kube, list } })).features;
  };
  const { hostPorts, otherPods } = await readingOf([]);
  expect(hostPorts.filter(({ kind }) => kind === 'Pod')).toHaveLength(4);
  expect(otherPods).toEqual({ count: 0, first: [] });
  expect(requested.filter((one) => /^(?:jobs|few) /.test(one)).sort()).toEqual([
    'few metadata.name=debug-0',
    'jobs status.phase!=Succeeded,status.phase!=Failed',
  ]);
  const tooMany = await readingOf(manyIn('huge', 5_001, {}));
  expect(tooMany.otherPods.count).toBe(5_001 - 200 + 1);
});

test('load balancers, with whom they let in', async () => {
  const lb = (name: string, spec: object, annotations = {}): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'web', name, annotations },
    spec: { type: 'LoadBalancer', ...spec },
  });
  const { loadBalancers } = await featuresWith(
    lb('shop', { loadBalancerSourceRanges: ['203.0.113.0/24'] }),
    lb('old', {}, { 'service.beta.kubernetes.io/load-balancer-source-ranges': '10.0.0.0/8, 198.51.100.0/24' }),
    lb('open', {}),
  );
  expect(loadBalancers).toEqual([
    { namespace: 'web', name: 'old', sourceRanges: ['10.0.0.0/8', '198.51.100.0/24'] },
    { namespace: 'web', name: 'open', sourceRanges: [] },
    { namespace: 'web', name: 'shop', sourceRanges: ['203.0.113.0/24'] },
  ]);
});

test('NodeLocal DNSCache: by its image, whatever it is called', async () => {
  const { nodeLocalDns } = await featuresWith(workload('DaemonSet', 'nodecache', []));
  expect(nodeLocalDns).toEqual([
    { kind: 'DaemonSet', namespace: 'web', name: 'nodecache', detail: 'registry.k8s.io/dns/k8s-dns-node-cache:1.23.0' },
  ]);
});

test.each([
  ['rancher/hardened-dns-node-cache:1.26.4-build20250916', true],
  ['mirror.example/dns/k8s-dns-node-cache:1.23.0', true],
  ['registry.k8s.io/dns/k8s-dns-sidecar:1.23.0', false],
])('NodeLocal DNSCache by its image: %s: %s', async (image, isCache) => {
  const { nodeLocalDns } = await featuresWith({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { namespace: 'kube-system', name: 'cache' },
    spec: { template: { spec: { containers: [{ name: 'c', image }] } } },
  });
  expect(nodeLocalDns).toHaveLength(isCache ? 1 : 0);
});

/** The arguments of the cache, its Corefile, and the expected result: the addresses on which it listens, its upstream, and what is excluded. */
const dnsServices = (annotated: string | null) => [
  dnsServiceCalled('kube-dns', '10.96.0.10', annotated),
  dnsServiceCalled('kube-dns-upstream', '10.96.7.7', annotated),
];
function dnsServiceCalled(name: string, clusterIP: string, annotated: string | null): KubeObject {
  const annotations = name === annotated ? { 'projectcalico.org/natExcludeService': 'true' } : {};
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'kube-system', name, annotations },
    spec: { clusterIP, clusterIPs: [clusterIP], ports: [{ name: 'dns', port: 53, protocol: 'UDP' }] },
  };
}
const bindsBoth =
  'cluster.local:53 {\n  bind 169.254.20.10 10.96.0.10 # both\n  forward . __PILLAR__CLUSTER__DNS__ {\n';

test.each<[string, string[], string | null, string | null, string[] | null, string[]]>([
  [
    "Kubernetes' own",
    ['-localip', '169.254.20.10,10.96.0.10', '-upstreamsvc', 'kube-dns-upstream'],
    bindsBoth,
    null,
    ['169.254.20.10', '10.96.0.10'],
    ['kube-dns bound', 'kube-dns-upstream asked'],
  ],
  [
    '… that is marked',
    ['-localip', '169.254.20.10,10.96.0.10', '-upstreamsvc', 'kube-dns-upstream'],
    bindsBoth,
    'kube-dns',
    ['169.254.20.10', '10.96.0.10'],
    ['kube-dns bound annotation', 'kube-dns-upstream asked'],
  ],
  [
    'which asks its default',
    ['-localip', '169.254.20.10,10.96.0.10'],
    bindsBoth,
    null,
    ['169.254.20.10', '10.96.0.10'],
    ['kube-dns bound asked'],
  ],
  [
    'beside IPVS',
    ['-localip', '169.254.20.10', '-upstreamsvc', 'kube-dns-upstream'],
    '.:53 {\n  bind 169.254.20.10\n  forward . 10.96.0.10 {\n',
    null,
    ['169.254.20.10'],
    ['kube-dns asked'],
  ],
  [
    'of which the Corefile was not read',
    ['--localip=169.254.20.10', '--upstreamsvc=kube-dns'],
    null,
    null,
    ['169.254.20.10'],
    ['kube-dns asked'],
  ],
  [
    'CoreDNS without the flag',
    [],
    '.:53 {\n  bind 10.96.0.10\n  forward . dns://10.96.7.7:53\n',
    null,
    ['10.96.0.10'],
    ['kube-dns bound', 'kube-dns-upstream asked'],
  ],
  ['of which nothing is known', [], null, null, null, []],
])('NodeLocal DNSCache, %s: what it binds and asks', async (_name, args, corefile, annotated, binds, uses) => {
  const cache: KubeObject = {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { namespace: 'kube-system', name: 'node-local-dns' },
    spec: {
      template: {
        spec: {
          containers: [{ name: 'node-cache', image: 'registry.k8s.io/dns/k8s-dns-node-cache:1.26.4', args }],
          volumes: [{ name: 'config', configMap: { name: 'node-local-dns' } }],
        },
      },
    },
  };
  const map = (Corefile: string): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'kube-system', name: 'node-local-dns' },
    data: { Corefile },
  });
  const found = await featuresWith(cache, ...dnsServices(annotated), ...(corefile === null ? [] : [map(corefile)]));
  const [read] = found.nodeLocalDnsCaches;
  expect(read?.binds).toEqual(binds);
  expect(
    read?.services.map(({ object, bound, asked, isAnnotated, isInCidrs }) =>
      [object.split('/')[2], bound && 'bound', asked && 'asked', isAnnotated && 'annotation', isInCidrs && 'cidrs']
        .filter(Boolean)
        .join(' '),
    ),
  ).toEqual(uses);
});

test.each<[string[], boolean]>([
  [['10.96.0.10'], false],
  [['10.96.0.0/24', 'fd00::a/128'], true],
])('NodeLocal DNSCache, on two families with %j excluded: %s', async (bpfExcludeCIDRsFromNAT, isInCidrs) => {
  const args = ['-localip=10.96.0.10,fd00::a', '-upstreamsvc=kube-dns-upstream'];
  const containers = [{ name: 'c', image: 'registry.k8s.io/dns/k8s-dns-node-cache:1.23.0', args }];
  const cache = workload('DaemonSet', 'nodecache', [], { containers });
  const [dns] = dnsServices(null);
  const spec = { ...Object(dns?.spec), clusterIPs: ['10.96.0.10', 'fd00::a'] };
  const felix = policy('crd.projectcalico.org/v1', 'FelixConfiguration', 'default', { bpfExcludeCIDRsFromNAT });
  const { nodeLocalDnsCaches } = await featuresWith(cache, { ...dns, spec } as KubeObject, felix);
  expect(nodeLocalDnsCaches[0]?.services.map((one) => one.isInCidrs)).toEqual([isInCidrs]);
});

test('meshes: what they run and whom they have taken in, one subject a namespace', async () => {
  const { meshes } = await featuresWith(
    pod('istiod-1', { app: 'istiod' }),
    pod('shop-1', {}, { 'sidecar.istio.io/status': '{}' }),
    pod('shop-2', {}, { 'sidecar.istio.io/status': '{}' }),
    pod('ztunnel-x', { app: 'ztunnel' }),
    pod('linkerd-destination-1', { 'linkerd.io/control-plane-component': 'destination' }),
    pod('cart-1', {}, { 'linkerd.io/proxy-version': 'stable-2.14.10' }),
    pod('mail-1', { 'linkerd.io/control-plane-ns': 'linkerd' }),
    pod('kuma-1', { app: 'kuma-control-plane' }),
    pod('bank-1', {}, { 'consul.hashicorp.com/connect-inject-status': 'injected' }),
  );
  expect(meshes.map(({ kind, name, detail }) => `${kind} ${name}: ${detail}`)).toEqual([
    'Pod istiod-1: part of Istio itself',
    'Namespace web: 2 pods are members of Istio',
    'Pod ztunnel-x: part of Istio in ambient mode itself',
    'Pod linkerd-destination-1: part of Linkerd itself',
    'Namespace web: 2 pods are members of Linkerd',
    'Pod kuma-1: part of Kuma itself',
    'Namespace web: 1 pod is a member of Consul',
  ]);
});

test('a mesh is known by its definitions, whether or not its pods are in the dump', async () => {
  const definition = (name: string): KubeObject => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group: name.slice(name.indexOf('.') + 1),
      names: { kind: 'X', plural: 'x' },
      scope: 'Cluster',
      versions: [],
    },
  });
  const found = await featuresWith(
    definition('virtualservices.networking.istio.io'),
    definition('gateways.networking.istio.io'),
    definition('certificates.cert-manager.io'),
  );
  expect([found.meshes, found.definedMeshes]).toEqual([[], ['Istio']]);
});

test('application layer features are found by policy, label, annotation and resource', async () => {
  const layer = policy('operator.tigera.io/v1', 'ApplicationLayer', 'tigera-secure', {
    logCollection: { collectLogs: 'Enabled' },
    webApplicationFirewall: 'Enabled',
  });
  const http = policy('crd.projectcalico.org/v1', 'GlobalNetworkPolicy', 'default.get', {
    ingress: [{ action: 'Allow', http: { methods: ['GET'] } }],
  });
  const felix = policy('crd.projectcalico.org/v1', 'FelixConfiguration', 'node.worker-1', {
    policySyncPathPrefix: '/var/run/nodeagent',
  });
  const labelled = pod('shop-1', { 'applicationlayer.projectcalico.org/waf': 'Enabled' });
  const found = await featuresWith(layer, http, felix, labelled);
  // The open source operator does not act on that resource.
  expect(found.l7Logs).toEqual([]);
  expect(found.applicationLayerPolicies.map(({ kind, detail }) => `${kind}: ${detail}`)).toEqual([
    'GlobalNetworkPolicy.projectcalico.org: http in spec.ingress[0]',
    'FelixConfiguration: policySyncPathPrefix: /var/run/nodeagent',
  ]);
  expect(found.waf.map(({ name, detail }) => `${name}: ${detail}`)).toEqual([
    'web: 1 pod with the label applicationlayer.projectcalico.org/waf',
  ]);

  const enterprise = standardCluster().map((object) =>
    object.kind === 'Installation'
      ? { ...object, spec: { ...Object(object.spec), variant: 'TigeraSecureEnterprise' } }
      : object,
  );
  const kube = createStore({ name: 'lab', source: 'live', kinds, objects: [...enterprise, layer] });
  const { features } = await collectFacts({ kube });
  expect([features.l7Logs, features.waf].flat().map(({ detail }) => detail)).toEqual([
    'logCollection.collectLogs: Enabled',
    'webApplicationFirewall: Enabled',
  ]);
});

test('policies of the API that v3.32 no longer knows', async () => {
  const { adminNetworkPolicies } = await featuresWith(
    policy('policy.networking.k8s.io/v1alpha1', 'AdminNetworkPolicy', 'deny-all', {}),
    policy('policy.networking.k8s.io/v1alpha1', 'BaselineAdminNetworkPolicy', 'default', {}),
  );
  expect(adminNetworkPolicies.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'AdminNetworkPolicy deny-all',
    'BaselineAdminNetworkPolicy default',
  ]);
});
