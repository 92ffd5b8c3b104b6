import fc from 'fast-check';
import { type FactKey, type Facts, factKeys } from '#lib/facts/index.ts';
import { type Choices, goals, type PlatformKind, platformKinds } from '#lib/spec/index.ts';
import { checks } from '../checks.ts';
import { aFacts, aNode, aTigeraStatus, deployment, someChoices, uncover } from './a-facts.ts';

/** Text of a hostile or careless cluster. */
const text = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    '4.15.0',
    '10.96.0.1',
    '127.0.0.1',
    'https://x/',
    'api.example.com',
    '"$(id)`\'\n\u001b[2J',
    '\u202e<b>',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

const subject = fc.record({ kind: text, namespace: fc.option(text), name: text, detail: text });
const dnsCache = { kind: 'DaemonSet', namespace: 'kube-system', name: 'cache', detail: 'k8s-dns-node-cache' };
const evidence = fc.record({ object: text, path: text, value: fc.jsonValue({ maxDepth: 2 }) });

const node = fc
  .record({
    name: text,
    os: fc.constantFrom('linux', 'windows', ''),
    architecture: fc.constantFrom('amd64', 'arm64', 's390x', ''),
    osImage: fc.oneof(
      text,
      fc.constantFrom('Ubuntu 18.04.6 LTS', 'CentOS Linux 8 (Core)', 'Talos (v1.8.1)', 'Bottlerocket OS 1.21.1'),
    ),
    kernel: fc.oneof(text, fc.constantFrom('4.18.0-80.el8.x86_64', '6.1.0-rc3', '5.4.0-1103-aws')),
    ready: fc.boolean(),
    notReady: fc.option(fc.record({ waitsFor: fc.constantFrom('network' as const, 'other' as const), because: text })),
    unschedulable: fc.boolean(),
    pressures: fc.array(text, { maxLength: 2 }),
    addresses: fc.array(text, { maxLength: 2 }),
    providerID: fc.option(fc.oneof(text, fc.constant('aws:///eu-1a/i-0'))),
    virtual: fc.boolean(),
    agentCannotLand: fc.option(text),
  })
  .map((overrides) => aNode(overrides));

const hostPort = fc.record({ host: text, port: fc.oneof(text, fc.constant('6443')) });
const configMap = fc.record({ namespace: text, host: text, port: text });

const object = (kind: string) =>
  fc.record({
    apiVersion: fc.constant('v1'),
    kind: fc.constant(kind),
    metadata: fc.record({ name: fc.constant('default'), annotations: fc.dictionary(text, text, { maxKeys: 2 }) }),
    spec: fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.record({
        bpfEnabled: fc.boolean(),
        floatingIPs: fc.constantFrom('Enabled', 'Disabled'),
        bpfDataIfacePattern: fc.oneof(text, fc.constantFrom('^eth.*', '.*', '(a+)+$', '^(eth')),
        bpfExternalServiceMode: fc.constantFrom('DSR', 'Tunnel'),
        calicoNetwork: fc.constant({ bpfNetworkBootstrap: 'Enabled' }),
      }),
    ),
  });

const release = fc.constantFrom('v3.14.2', 'v3.24.5', 'v3.27.5', 'v3.29.1', 'v3.30.0', 'v3.30.7', 'v3.31.4', 'v3.32.1');
const versioned = fc.record({ subject, image: text, version: fc.option(fc.oneof(text, release)) });

/** Facts that only upgrades read. */
const upgrade = fc.record({
  imageSets: fc.array(fc.oneof(text, fc.constantFrom('calico-v3.30.7', 'calico-v3.31.4')), { maxLength: 2 }),
  definitions: fc.array(
    fc.record({
      name: fc.oneof(text, fc.constantFrom('installations.operator.tigera.io', 'ippools.crd.projectcalico.org')),
      fingerprint: text,
      generator: fc.option(text),
      lastAppliedBytes: fc.option(fc.nat()),
      writers: fc.array(fc.record({ manager: text, operation: text, fields: fc.constant(['spec.versions']) }), {
        maxLength: 2,
      }),
    }),
    { maxLength: 3 },
  ),
  ownerReferences: fc.array(subject, { maxLength: 2 }),
  dependants: fc.constant([]),
  hostEndpoints: fc.record({
    autoCreate: fc.constantFrom('Enabled', 'Disabled', null),
    automatic: fc.nat(3),
    allInterfaces: fc.array(subject, { maxLength: 2 }),
    byHand: fc.constant([]),
    wouldSelect: fc.constant([]),
    createDefault: fc.constant(null),
    selecting: fc.constant([]),
  }),
  temporaryPolicies: fc.array(subject, { maxLength: 2 }),
  defaultTierPolicies: fc.record({ count: fc.nat(3), first: fc.array(subject, { maxLength: 2 }) }),
  calicoctls: fc.array(versioned, { maxLength: 2 }),
  sidecars: fc.array(versioned, { maxLength: 2 }),
  stuck: fc.array(fc.record({ subject, by: fc.constantFrom('no-node', 'paused', 'on-delete', 'ignored') }), {
    maxLength: 2,
  }),
  users: fc.array(fc.record({ user: fc.string(), uses: fc.array(fc.string(), { maxLength: 2 }) }), { maxLength: 2 }),
});

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary);

/** Facts of every shape that the schema allows, with any coverage. */
export const someFacts: fc.Arbitrary<Facts> = fc
  .record({
    serviceCIDRs: fc.array(fc.oneof(text, fc.constant('10.96.0.0/12')), { maxLength: 2 }),
    platform: fc.constantFrom(...platformKinds),
    nodes: fc.array(node, { maxLength: 4 }),
    method: fc.constantFrom('operator', 'helm', 'manifest-kdd', 'manifest-etcd', 'none', 'unknown'),
    datastore: fc.constantFrom('kubernetes', 'etcd', null),
    version: fc.option(fc.oneof(text, release)),
    upgrade,
    actual: fc.constantFrom('BPF', 'Iptables', 'Nftables', 'VPP', 'mixed', 'unknown'),
    deviatingNodes: fc.array(subject, { maxLength: 2 }),
    cleaningUp: fc.array(subject, { maxLength: 2 }),
    otherNetworks: fc.array(
      fc.record({
        product: fc.constantFrom('Cilium', 'kube-router', 'Flannel', 'Amazon VPC CNI', 'Antrea'),
        object: text,
        connects: maybe(fc.boolean()),
        serves: maybe(fc.boolean()),
        attaches: maybe(fc.boolean()),
        evidence: fc.array(evidence, { maxLength: 1 }),
      }),
      { maxLength: 2 },
    ),
    proxyKind: fc.constantFrom('daemonset', 'openshift', 'embedded', 'static-pods', 'none', 'unknown'),
    mode: fc.constantFrom('iptables', 'ipvs', 'nftables', 'unknown'),
    running: fc.constantFrom(true, false, null),
    managedBy: maybe(text),
    configMap: maybe(configMap),
    strays: fc.array(configMap, { maxLength: 2 }),
    inUse: fc.array(fc.record({ object: text, container: text, host: maybe(text), port: maybe(text) }), {
      maxLength: 3,
    }),
    apiServers: fc.array(text, { maxLength: 3 }),
    suggested: maybe(
      fc.record({ host: text, port: fc.integer(), because: text, doubts: fc.array(text, { maxLength: 2 }) }),
    ),
    floatingIps: fc.array(subject, { maxLength: 2 }),
    sctp: fc.array(subject, { maxLength: 2 }),
    logActions: fc.array(subject, { maxLength: 2 }),
    found: fc.record({
      hostPorts: fc.array(subject, { maxLength: 2 }),
      trafficLimits: fc.array(
        subject.chain((one) =>
          fc
            .subarray(['bandwidth-plugin', 'bandwidth', 'packet-rate', 'connections'] as const)
            .map((limits) => ({ ...one, limits })),
        ),
        { maxLength: 2 },
      ),
      loadBalancers: fc.array(
        fc.record({
          namespace: text,
          name: text,
          sourceRanges: fc.array(fc.oneof(text, fc.constantFrom('0.0.0.0/0', '203.0.113.0/24')), { maxLength: 2 }),
        }),
        { maxLength: 2 },
      ),
      nodeLocalDns: fc.array(fc.constant(dnsCache), { maxLength: 1 }),
      nodeLocalDnsCaches: fc.array(
        fc.record({
          object: fc.constant('kube-system/DaemonSet/cache'),
          binds: maybe(fc.array(text, { maxLength: 2 })),
          services: fc.array(
            fc.record({
              object: fc.oneof(text, fc.constant('kube-system/Service/kube-dns')),
              addresses: fc.array(text, { maxLength: 2 }),
              bound: fc.boolean(),
              asked: fc.boolean(),
              isAnnotated: fc.boolean(),
              isInCidrs: fc.boolean(),
            }),
            { maxLength: 2 },
          ),
          evidence: fc.array(evidence, { maxLength: 1 }),
        }),
        { maxLength: 1 },
      ),
      meshes: fc.array(subject, { maxLength: 2 }),
      definedMeshes: fc.array(text, { maxLength: 1 }),
      l7Logs: fc.array(subject, { maxLength: 1 }),
      applicationLayerPolicies: fc.array(subject, { maxLength: 1 }),
      waf: fc.array(subject, { maxLength: 1 }),
      adminNetworkPolicies: fc.array(subject, { maxLength: 1 }),
    }),
    installation: maybe(object('Installation')),
    felix: maybe(object('FelixConfiguration')),
    operator: maybe(fc.constantFrom(deployment(), deployment(['169.254.169.253']))),
    proxyObject: maybe(object('DaemonSet')),
    statuses: fc.array(
      fc.constantFrom(
        aTigeraStatus('calico'),
        aTigeraStatus('calico', {}),
        aTigeraStatus('calico', { Degraded: 'True' }),
      ),
      { maxLength: 2 },
    ),
    ownership: fc.array(
      fc.record({
        object: fc.constantFrom(
          'Installation/default',
          'FelixConfiguration/default',
          'kube-system/DaemonSet/kube-proxy',
          '',
        ),
        by: fc.constantFrom('argocd', 'flux', 'fleet', 'addon-manager', 'gardener', 'kops', 'k0s', 'helm', 'other'),
        evidence,
        state: fc.constantFrom('acts', 'paused', 'hidden'),
        writes: fc.subarray([
          'spec.calicoNetwork.linuxDataplane=BPF',
          'spec.template.spec.nodeSelector.non-calico=true',
          '',
        ]),
        source: maybe(fc.constantFrom('argocd/Application/platform', 'flux-system/HelmRelease/calico', '')),
      }),
      { maxLength: 2 },
    ),
    helm: fc.array(
      fc.record({
        name: text,
        namespace: text,
        chart: fc.option(fc.constantFrom('tigera-operator-v3.31.4', 'nginx-1')),
        revision: fc.nat(),
        status: text,
        values: maybe(
          fc.dictionary(
            fc.constantFrom('installation', 'kubernetesServiceEndpoint', '__proto__'),
            fc.jsonValue({ maxDepth: 3 }),
          ),
        ),
      }),
      { maxLength: 2 },
    ),
    access: fc.array(fc.record({ verb: text, group: text, resource: text, allowed: fc.boolean() }), { maxLength: 3 }),
    uncovered: fc.subarray([...factKeys] as FactKey[]),
  })
  .map((overrides) =>
    uncover(
      aFacts({
        cluster: { serviceCIDRs: overrides.serviceCIDRs },
        platform: { kind: overrides.platform as PlatformKind },
        nodes: overrides.nodes,
        installation: {
          method: overrides.method as Facts['installation']['method'],
          datastore: overrides.datastore as Facts['installation']['datastore'],
          version: overrides.version,
          dataplane: { actual: overrides.actual as Facts['installation']['dataplane']['actual'] },
          deviatingNodes: overrides.deviatingNodes,
          cleaningUp: overrides.cleaningUp,
          otherNetworks: overrides.otherNetworks,
        },
        proxy: {
          kind: overrides.proxyKind as Facts['proxy']['kind'],
          mode: overrides.mode as Facts['proxy']['mode'],
          running: overrides.running,
          managedBy: overrides.managedBy,
        },
        endpoint: {
          configMap: overrides.configMap,
          strays: overrides.strays,
          inUse: overrides.inUse,
          apiServers: overrides.apiServers,
          suggested: overrides.suggested,
        },
        features: {
          ...overrides.found,
          floatingIps: overrides.floatingIps,
          sctp: overrides.sctp,
          logActions: overrides.logActions,
        },
        resources: {
          objects: {
            'Installation/default': overrides.installation,
            'FelixConfiguration/default': overrides.felix,
            'tigera-operator/Deployment/tigera-operator': overrides.operator,
            'kube-system/DaemonSet/kube-proxy': overrides.proxyObject,
          },
          tigeraStatuses: overrides.statuses,
          ownership: overrides.ownership as Facts['resources']['ownership'],
          helmReleases: overrides.helm,
          access: overrides.access,
        },
      }),
      ...overrides.uncovered,
    ),
  );

const ids = checks.map(({ id }) => id);

export const anyChoices: fc.Arbitrary<Choices> = fc
  .record({
    goal: fc.constantFrom(...goals),
    endpoint: fc.option(hostPort, { nil: undefined }),
    platform: fc.option(fc.constantFrom(...platformKinds), { nil: undefined }),
    release: fc.option(fc.oneof(text, release), { nil: undefined }),
    keepProxy: fc.boolean(),
    automatic: fc.boolean(),
    acceptProposals: fc.boolean(),
    acknowledge: fc.subarray(ids).map((chosen) => Object.fromEntries(chosen.map((id) => [id, 'known']))),
    fix: fc.subarray(ids),
  })
  .map((overrides) => someChoices(overrides));
