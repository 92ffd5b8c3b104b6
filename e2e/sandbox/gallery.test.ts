import { expect, test } from 'vitest';
import type { Finding } from '#lib/checks/index.ts';
import type { Releases } from '#lib/run/index.ts';
import { openSandbox, sandboxRelease, templates } from '#lib/sandbox/index.ts';
import type { Choices, Goal } from '#lib/spec/index.ts';
import { assess, preparePlan } from '#lib/usecases/index.ts';

/** Unknown in every sandbox, because none connects to anything; like all that is measured on nodes. */
const notDialled = ['endpoint.certificate', 'endpoint.reachable'];

/** The finding for an endpoint that is a name, with the operator as published. */
const asksClusterDns = (severity: Finding['severity']) =>
  `fail ${severity} operator.dns-deadlock: tigera-operator/Deployment/tigera-operator`;
const dns = asksClusterDns('warning');
const dnsOnAws = asksClusterDns('blocking');

const proxy = 'kube-system/DaemonSet/kube-proxy';
const doubleProxy = `fail blocking proxy.no-double-management: ${proxy}, FelixConfiguration/default`;
/** The finding for a proxy that stays: it uses the port of Calico's health checks. */
const samePort = (of: string) => `fail warning proxy.health-port: ${of}, FelixConfiguration/default`;
const sameHealthPort = samePort(proxy);
const proxyStays = `fail warning platform.proxy-cannot-be-disabled: ${proxy}`;
const endpoint = 'tigera-operator/ConfigMap/kubernetes-services-endpoint';
const everyNode = ['control-1', 'worker-1', 'worker-2', 'worker-3', 'worker-4', 'worker-5']
  .map((name) => `Node/${name}`)
  .join(', ');

/** The unknown findings of a cluster whose FelixConfiguration is in etcd. */
const withoutFelix = [
  'unknown node.mounts',
  'unknown node.interfaces',
  'unknown network.overlay-choice',
  'unknown network.dsr-fabric',
  'unknown feature.floating-ips',
  'unknown feature.sctp',
  'unknown feature.log-action',
  'unknown feature.vlan-devices',
  'unknown feature.application-layer-policy',
  'unknown feature.endpoint-to-host',
  'fail blocking enable.operator-needed: kube-system/DaemonSet/calico-node',
];

const nodesCalled = (...names: readonly string[]) => names.map((name) => `Node/${name}`).join(', ');
const noCgroupPath = (nodes: string) => `fail warning node.cgroup-path: ${nodes}`;
const noFlexVolumePath = (nodes: string) => `fail blocking node.flexvolume-path: ${nodes}`;
const threeAndThree = nodesCalled('control-1', 'control-2', 'control-3', 'worker-1', 'worker-2', 'worker-3');
const eksNodes = nodesCalled(...[11, 12, 13, 14, 15, 16].map((last) => `ip-10-0-0-${last}.eu-west-1.compute.internal`));
const autoNodes = nodesCalled('i-00000000000000004', 'i-00000000000000005');
const gkeNodes = nodesCalled(...[0, 1, 2, 3, 4, 5].map((index) => `gke-sandbox-default-pool-1a2b3c4d-000${index}`));

/** The findings of clusters without Calico, where eBPF cannot be enabled. */
function notInstalled(name: string, ...others: readonly string[]): Record<string, readonly string[]> {
  return { [name]: [...others, `fail blocking install.method-known: Cluster/${name}`] };
}

const ofItsTool = 'fail blocking enable.operator-needed: kube-system/DaemonSet/calico-node';
const byManifest = ['fail warning network.overlay-choice: IPPool/default-ipv4-ippool', ofItsTool];
const modeNotKnown = ['unknown proxy.no-double-management', 'unknown proxy.health-port'];
const besideKubelite = [
  'unknown endpoint.not-cluster-ip',
  'fail blocking proxy.no-double-management: ServiceProxy/kube-proxy, FelixConfiguration/default',
  'fail warning proxy.health-port: ServiceProxy/kube-proxy, FelixConfiguration/default',
];
const ownedByHelm =
  'fail warning managed-by.helm: tigera-operator/HelmRelease/calico, Installation/default, Installation/default';

/** The finding for an interrupted migration whose operator is stopped. */
const stoppedOperator = 'fail blocking install.status-healthy: tigera-operator/Deployment/tigera-operator';
const halfMigrated =
  'fail blocking install.method-known: kube-system/DaemonSet/calico-node, calico-system/DaemonSet/calico-node';

/** All findings that do not pass when every proposal is accepted: status, severity of a failure, id, subjects. */
const expected: Record<string, readonly string[]> = {
  empty: [dns, 'fail blocking install.method-known: Cluster/empty'],
  standard: [dns],
  'calico-3.30': [dns],
  'calico-3.30.4-bpf': [dns],
  'calico-helm-3.30': [ownedByHelm, dns],
  'calico-helm-3.30.4-bpf': [ownedByHelm, dns],
  'calico-helm-3.32': [ownedByHelm, dns],
  'calico-manifest-3.30': byManifest,
  'flow-logs': [dns],
  bpf: [dns],

  'kubeadm-ha': [dns],
  kind: [dns],
  tkg: ['fail blocking platform.supported: Platform/Tanzu Kubernetes Grid (TKG)', dns, doubleProxy, sameHealthPort],
  plain: [dns],
  openshift: [dns, noCgroupPath(threeAndThree)],
  'openshift-3.30': [dns, noCgroupPath(threeAndThree)],
  rke2: [dns],
  k3s: [dns],
  rke: [
    'fail blocking platform.supported: Platform/Rancher Kubernetes Engine 1 (RKE)',
    'unknown endpoint.not-cluster-ip',
    'unknown proxy.no-double-management',
    'unknown proxy.health-port',
    'unknown proxy.gone-without-bpf',
  ],
  // proxy.local is correct here, so there is no dns-deadlock.
  mke: [
    'unknown proxy.no-double-management',
    'unknown proxy.health-port',
    'unknown proxy.gone-without-bpf',
    'fail warning network.vxlan-port: FelixConfiguration/default',
  ],
  talos: [dns, noCgroupPath(threeAndThree), noFlexVolumePath(threeAndThree)],
  // The remedy pauses Rancher's Fleet, which is done on Rancher's own cluster.
  rancher: ['unknown managed-by.reconciler: Installation/default, Installation/default', dns],
  'eks-vpc-cni': [dnsOnAws],
  'eks-vpc-policy': [dnsOnAws, 'fail blocking network.other-product: kube-system/DaemonSet/aws-node'],
  'eks-own-cni': [dnsOnAws, noCgroupPath(eksNodes), noFlexVolumePath(eksNodes)],
  'eks-auto-mode': [
    `fail blocking platform.eks-auto-mode: ${autoNodes}`,
    dnsOnAws,
    noCgroupPath(autoNodes),
    noFlexVolumePath(autoNodes),
  ],
  'eks-hybrid': [dnsOnAws],
  'aks-azure-cni': [proxyStays, `fail blocking managed-by.reconciler: ${proxy}`, dns, doubleProxy, sameHealthPort],
  'aks-own-cni': [dns],
  gke: [
    'fail blocking platform.supported: Platform/Google Kubernetes Engine (GKE)',
    `fail blocking endpoint.present: ${endpoint}`,
    'unknown endpoint.not-cluster-ip',
    'unknown endpoint.not-local',
    'unknown endpoint.stable',
    'unknown endpoint.form',
    'unknown endpoint.resolvable',
    'unknown operator.dns-deadlock',
    'unknown endpoint.kube-vip',
    'fail blocking proxy.no-double-management: ServiceProxy/kube-proxy, FelixConfiguration/default',
    samePort('ServiceProxy/kube-proxy'),
    noCgroupPath(gkeNodes),
  ],
  kops: [dnsOnAws],
  // The finding names the installer's own way to eBPF; there is no operator.
  kubespray: [`fail blocking proxy.not-ipvs: ${proxy}`, ofItsTool],
  'kops-calico': byManifest,
  gardener: [
    'unknown endpoint.not-cluster-ip',
    'fail warning proxy.detected: ServiceProxy/kube-proxy',
    ...modeNotKnown,
    ...byManifest,
  ],
  // kubelite contains kube-proxy, however Calico was installed.
  microk8s: [...besideKubelite, ofItsTool],
  'microk8s-operator': besideKubelite,
  'hard-way': [
    'unknown endpoint.not-cluster-ip',
    'fail warning proxy.detected: ServiceProxy/kube-proxy',
    ...modeNotKnown,
    'unknown proxy.gone-without-bpf',
  ],

  ...notInstalled('empty-kubeadm', dns),
  ...notInstalled('empty-without-proxy', dns, 'unknown proxy.gone-without-bpf'),
  ...notInstalled('empty-eks-aws-node', dnsOnAws),
  ...notInstalled('empty-eks', dnsOnAws, noCgroupPath(eksNodes), noFlexVolumePath(eksNodes)),
  ...notInstalled(
    'empty-aks',
    'unknown platform.proxy-cannot-be-disabled',
    dns,
    'unknown proxy.no-double-management',
    'unknown proxy.health-port',
  ),
  ...notInstalled('empty-openshift', dns, noCgroupPath(threeAndThree)),
  ...notInstalled(
    'empty-mke',
    'unknown proxy.no-double-management',
    'unknown proxy.health-port',
    'unknown proxy.gone-without-bpf',
  ),
  ...notInstalled('empty-kops', dnsOnAws),
  ...notInstalled('empty-rke2', dns),
  ...notInstalled('empty-k3s', dns),
  ...notInstalled('empty-talos', dns, noCgroupPath(threeAndThree), noFlexVolumePath(threeAndThree)),
  ...notInstalled('empty-kind', dns),

  // Only a node can find out that the name does not resolve.
  'wrong-endpoint': [dns],
  'endpoint-gone': [dns],
  'local-endpoint': [`fail blocking endpoint.not-local: ${endpoint}`],
  'cluster-ip-endpoint': [`fail blocking endpoint.not-cluster-ip: ${endpoint}`],
  'single-address': [`fail warning endpoint.stable: ${endpoint}`],
  'stray-endpoint': ['fail blocking endpoint.namespace: kube-system/ConfigMap/kubernetes-services-endpoint', dns],
  'hosts-file-name': [`fail warning endpoint.resolvable: ${endpoint}`, dns],
  'two-endpoints': [`fail blocking endpoint.bootstrap-exclusive: Installation/default, ${endpoint}`],
  ipvs: [dns, `fail blocking proxy.not-ipvs: ${proxy}`],
  'proxy-of-argocd': [`fail blocking managed-by.reconciler: ${proxy}`, dns, doubleProxy, sameHealthPort],
  'kube-router': [dns, 'fail blocking network.other-product: kube-system/DaemonSet/kube-router'],
  'cilium-chained': [dns, 'fail blocking network.other-product: kube-system/DaemonSet/cilium'],
  'proxy-gone': [dns, `fail warning proxy.gone-without-bpf: ${proxy}`],
  'proxy-deleted': [dns],
  'proxy-unreadable': [dns],
  'old-kernel': [dns, 'fail blocking node.kernel: Node/worker-3', 'fail blocking node.distribution: Node/worker-3'],
  'fell-back': [dns, 'fail blocking node.kernel: Node/worker-3', 'fail blocking node.distribution: Node/worker-3'],
  'old-rhel': [dns, `fail blocking node.kernel: ${everyNode}`, `fail blocking node.distribution: ${everyNode}`],
  'kvm-kernel': [dns, 'fail blocking node.kernel-flavour: Node/worker-3'],
  's390x-worker': [dns, 'fail blocking node.architecture: Node/worker-5'],
  'windows-worker': [dns, 'fail blocking node.linux-only: Node/windows-1'],
  'not-ready': [
    dns,
    'fail blocking node.ready: Node/worker-4',
    'fail blocking install.status-healthy: TigeraStatus/calico',
  ],
  'mixed-nodes': [dns, 'fail blocking node.mixed-dataplane: Node/worker-2'],
  'by-manifest': byManifest,
  'by-manifest-etcd': ['unknown proxy.no-double-management', 'unknown node.mixed-dataplane', ...withoutFelix],
  canal: ['fail blocking enable.operator-needed: kube-system/DaemonSet/canal'],
  flannel: [dns, 'fail blocking install.method-known: Cluster/flannel'],
  ...notInstalled('cilium', dns),
  ...notInstalled('half-installed', dns),
  'half-migrated': [dns, halfMigrated, stoppedOperator],
  'stuck-rollout': [dns, 'fail blocking install.status-healthy: calico-system/DaemonSet/calico-node'],
  'second-operator': [dns],
  helm: ['fail blocking managed-by.helm: tigera-operator/HelmRelease/calico', dns],
  gitops: ['fail blocking managed-by.reconciler: Installation/default', dns],
  'non-privileged': [dns, 'fail blocking install.non-privileged: Installation/default'],
  'bpf-by-hand': [dns, 'fail blocking install.felix-annotation: FelixConfiguration/default'],
  ...notInstalled('no-pod-subnet', dns),
  'unsupported-features': [
    dns,
    'fail blocking feature.floating-ips: shop/Pod/checkout-x2x84wxllx-592gm, shop/Pod/checkout-x2x84wxllx-kfn6p',
    'fail blocking feature.sctp: shop/Service/signalling',
    'fail warning feature.log-action: GlobalNetworkPolicy.projectcalico.org/default.audit',
  ],
  'traffic-limits': [
    dns,
    'fail warning feature.traffic-limits: shop/Pod/checkout-4hg5vxrdc9-dn7v4, shop/Pod/checkout-4hg5vxrdc9-nbrth',
  ],
  ipip: [dns, 'fail warning network.overlay-choice: IPPool/default-ipv4-ippool'],
  'dns-cache': [
    dns,
    'fail blocking feature.node-local-dns: kube-system/DaemonSet/node-local-dns, kube-system/Service/kube-dns',
  ],
  'dns-cache-link-local': [dns],
  'service-mesh': [dns, 'fail warning feature.service-mesh: Namespace/shop'],
  'limited-load-balancer': [dns, 'fail warning feature.source-ranges: shop/Service/storefront'],
  'full-mtu': [dns, 'fail warning network.mtu: Installation/default'],

  // The obstacles of upgrades do not affect enabling; see expectedToUpgrade.
  'old-calicoctl': [dns],
  'owner-references': byManifest,
  'image-set': [dns],
  'paused-rollout': [dns],
  'docker-registry': [`fail blocking node.kernel-known-bad: ${everyNode}`, ...byManifest],
  'pinned-registry': [dns],
  'host-endpoints': [dns],
  'allow-all-upgrade': [dns],
  'helm-pending': [ownedByHelm, dns],
  'helm-kind-lost': [ownedByHelm, dns],
  'edited-manifest': byManifest,
  'etcd-placeholder': [
    'unknown proxy.no-double-management',
    'unknown node.mixed-dataplane',
    `fail blocking node.kernel-known-bad: ${everyNode}`,
    ...withoutFelix,
  ],
  'old-sidecars': [dns, 'fail warning feature.service-mesh: Namespace/shop'],
};

/** A cluster without a network has no DNS of its own that could answer the operator. */
const dnsBeforeNetwork = dnsOnAws;

/** The same for installing, on clusters where this is possible and where it is not. */
const expectedToInstall: Record<string, readonly string[]> = {
  empty: [dnsBeforeNetwork],
  'empty-kubeadm': [dnsBeforeNetwork],
  'empty-without-proxy': [dnsBeforeNetwork],
  'empty-eks-aws-node': [dnsBeforeNetwork],
  // An installation proposes a writable folder for FlexVolume.
  'empty-eks': [dnsBeforeNetwork, noCgroupPath(eksNodes)],
  'empty-aks': [dnsBeforeNetwork],
  'empty-openshift': [dns, noCgroupPath(threeAndThree)],
  'empty-mke': ['unknown proxy.no-double-management', 'unknown proxy.health-port'],
  'empty-kops': [dnsBeforeNetwork],
  'empty-rke2': [dnsBeforeNetwork],
  'empty-k3s': [dnsBeforeNetwork],
  'empty-talos': [dnsBeforeNetwork, noCgroupPath(threeAndThree)],
  'empty-kind': [dnsBeforeNetwork],
  flannel: [dnsBeforeNetwork, 'fail blocking install.nothing-there: kube-system/DaemonSet/kube-flannel-ds'],
  cilium: [dnsBeforeNetwork, 'fail blocking install.nothing-there: kube-system/DaemonSet/cilium'],
  'half-installed': [
    dnsBeforeNetwork,
    'fail info install.half-finished: Namespace/tigera-operator, CustomResourceDefinition/installations.operator.tigera.io, tigera-operator/Deployment/tigera-operator',
  ],
  'half-migrated': [
    dnsBeforeNetwork,
    'fail blocking install.nothing-there: calico-system/DaemonSet/calico-node, kube-system/DaemonSet/calico-node, calico-system/DaemonSet/calico-node',
  ],
  'second-operator': [
    dnsBeforeNetwork,
    'fail blocking install.nothing-there: calico-system/DaemonSet/calico-node, calico-networking/Deployment/tigera-operator',
  ],
  'no-pod-subnet': [dnsBeforeNetwork],
};

const agent = 'kube-system/DaemonSet/calico-node';
const policies = ['adminnetworkpolicies', 'baselineadminnetworkpolicies']
  .map((name) => `CustomResourceDefinition/${name}.policy.networking.k8s.io`)
  .join(', ');
/** The findings for an old calico.yaml: its images are in another registry by now, and two CustomResourceDefinitions are missing. */
const oldManifest = [
  `fail info upgrade.crd-behind: ${policies}`,
  `fail warning upgrade.registry-moved: ${agent}`,
  `fail info upgrade.recommend-move: ${agent}`,
];

/** The same for an upgrade to v3.31.7. */
const expectedToUpgrade: Record<string, readonly string[]> = {
  empty: ['fail blocking install.method-known: Cluster/empty'],
  standard: [],
  bpf: [dns],
  canal: ['fail info upgrade.recommend-move: kube-system/DaemonSet/canal'],
  'half-migrated': [halfMigrated, stoppedOperator],
  'old-calicoctl': ['fail warning upgrade.cli-version: kube-system/Pod/calicoctl'],
  'owner-references': [
    `fail info upgrade.crd-behind: ${policies}`,
    'fail blocking upgrade.owner-references: default/ConfigMap/cart-settings',
    ...oldManifest.slice(1),
  ],
  'image-set': ['fail blocking install.imageset: ImageSet/calico-v3.31.4'],
  'paused-rollout': ['fail warning upgrade.rollout: tigera-operator/Deployment/tigera-operator'],
  // A sandbox has no files of its running release, so it is unknown which fields the user changed.
  'docker-registry': [
    ...oldManifest.slice(0, 1),
    `fail warning upgrade.manual-changes: ClusterRole/calico-kube-controllers, ${agent}, kube-system/Deployment/calico-kube-controllers`,
    ...oldManifest.slice(1),
  ],
  'pinned-registry': [],
  'host-endpoints': ['fail warning upgrade.host-endpoints: HostEndpoint/worker-1-all'],
  'allow-all-upgrade': [
    'fail warning upgrade.allow-all-upgrade: GlobalNetworkPolicy.projectcalico.org/default.allow-all-upgrade',
  ],
  'calico-manifest-3.30': oldManifest.slice(1),
  'calico-helm-3.30': ['fail info upgrade.path: calico-system/Calico/v3.30.7'],
  'helm-pending': ['fail blocking upgrade.helm-pending: tigera-operator/HelmRelease/calico'],
  'edited-manifest': oldManifest,
  'etcd-placeholder': [
    'unknown node.mixed-dataplane',
    'unknown network.offload',
    'fail blocking upgrade.manual-changes: kube-system/ConfigMap/calico-config',
    ...oldManifest.slice(1, 2),
    'unknown upgrade.host-endpoints',
    'unknown upgrade.allow-all-upgrade',
    ...oldManifest.slice(2),
  ],
  'old-sidecars': ['fail info upgrade.sidecars: shop/Deployment/checkout'],
};

/** The detected platform of each sample; samples named after a platform must be detected as it. */
const platforms: Record<string, string> = {
  'kubeadm-ha': 'kubeadm',
  plain: 'generic',
  rancher: 'rke2',
  'openshift-3.30': 'openshift',
  'eks-vpc-policy': 'eks',
  'eks-auto-mode': 'eks',
  'eks-hybrid': 'eks',
  kubespray: 'kubeadm',
  'kops-calico': 'kops',
  gardener: 'generic',
  microk8s: 'generic',
  'microk8s-operator': 'generic',
  'hard-way': 'generic',
  'eks-vpc-cni': 'eks',
  'eks-own-cni': 'eks',
  'aks-azure-cni': 'aks',
  'aks-own-cni': 'aks',
  'empty-without-proxy': 'kubeadm',
  'empty-eks-aws-node': 'eks',
};

async function look(name: string, goal: Goal) {
  const sandbox = await openSandbox(name, { speed: 'instant', operator: 'none' });
  const release = goal === 'upgrade' ? { release: 'v3.31.7' } : {};
  const answers: Choices = { goal, acceptProposals: true, acknowledge: {}, fix: [], set: {}, ...release };
  const { signal } = new AbortController();
  const releases: Releases = async ({ version }) => sandboxRelease(version);
  const files = goal === 'upgrade' ? { releases } : {};
  const options = { answers, choices: () => answers, signal, ...files };
  // The goal `undo` has no plan of its own, because it starts from a run.
  const looked =
    goal === 'enable'
      ? await preparePlan({ ...options, kube: sandbox.kube, clock: sandbox.clock })
      : await assess({ ...options, use: (work) => work(sandbox), clock: sandbox.clock });
  await sandbox.close();
  return looked;
}

/** Fails on every cluster made by kubeadm; has a test of its own. */
const ofKubeadm = 'proxy.comes-back';

/** Unknown in every upgrade here, because only a dry run on a server can tell. */
const onlyByTrying = 'upgrade.field-conflicts';

function lines(findings: readonly Finding[]): string[] {
  return findings
    .filter(
      ({ id, status, notMeasured }) =>
        !notDialled.includes(id) &&
        id !== ofKubeadm &&
        id !== onlyByTrying &&
        notMeasured === null &&
        (status === 'fail' || status === 'unknown'),
    )
    .map(({ id, status, severity, subjects }) => {
      const named = subjects.map(({ namespace, kind, name }) => `${namespace ? `${namespace}/` : ''}${kind}/${name}`);
      return `${status} ${status === 'fail' ? `${severity} ` : ''}${id}${named.length > 0 ? `: ${named.join(', ')}` : ''}`;
    });
}

test('every sample has its expected findings here', () => {
  expect(Object.keys(expected)).toEqual(Object.keys(templates));
  expect(Object.keys(templates).length).toBeGreaterThanOrEqual(24);
});

test('samples are listed group by group, the ones to begin with first', () => {
  const groups = Object.values(templates).map(({ group }) => group);
  expect([...new Set(groups)]).toEqual(['Basics', 'Platforms', 'Failures']);
  expect(groups).toEqual(
    groups.toSorted(
      (a, b) => ['Basics', 'Platforms', 'Failures'].indexOf(a) - ['Basics', 'Platforms', 'Failures'].indexOf(b),
    ),
  );
  expect(Object.keys(templates).indexOf('standard')).toBeLessThan(3);
});

test.each(Object.entries(templates))('%s shows what it says', async (name, { group, shows }) => {
  const { facts, findings } = await look(name, 'enable');
  expect(lines(findings.findings)).toEqual(expected[name]);
  if (group === 'Platforms') expect(facts.platform.kind).toBe(platforms[name] ?? name.replace('empty-', ''));
  // One line of a list, without a full stop.
  expect(shows).toMatch(/^[^\n]{20,130}[^.\n]$/);
});

test.each(Object.entries(expectedToInstall))('installing on %s meets what is expected', async (name, findings) => {
  expect(lines((await look(name, 'install')).findings.findings)).toEqual(findings);
});

test.each(Object.entries(expectedToUpgrade))('upgrading %s meets what is expected', async (name, findings) => {
  expect(lines((await look(name, 'upgrade')).findings.findings)).toEqual(findings);
});

test('kubeadm brings the proxy back wherever it made the cluster and the plan turns the proxy off', async () => {
  const found = async (name: string) =>
    (await look(name, 'enable')).findings.findings.find(({ id }) => id === ofKubeadm)?.status;
  expect(await found('standard')).toBe('fail');
  expect(await found('proxy-of-argocd')).toBe('skipped');
  expect(await found('proxy-deleted')).toBe('pass');
  expect(await found('openshift')).toBe('pass');
});

test('proxy-deleted cannot be undone, bpf can', async () => {
  const because =
    'kube-system/DaemonSet/kube-proxy, kube-system/ConfigMap/kube-proxy, kube-system/ServiceAccount/kube-proxy';
  const undone = async (name: string) => lines((await look(name, 'undo')).findings.findings);
  expect(await undone('proxy-deleted')).toEqual([`fail blocking proxy.can-come-back: ${because}`]);
  expect(await undone('bpf')).toEqual([]);
});

test.each([
  ['kubespray', /^kubespray writes this manifest/, /`calico_version`/],
  ['kops-calico', /^kOps writes this manifest/, /^Upgrade kOps/],
  ['gardener', /^Gardener writes this manifest/, /^Its release comes with the Calico extension/],
  ['microk8s', /^MicroK8s brings this manifest/, /cni-network\/cni\.yaml/],
  ['canal', /^Remove Canal first/, /^Upgrade with the current method/],
])("%s is shown its own way to the switch, and nowhere the operator's", async (name, way, upgrade) => {
  for (const [goal, id, step] of [
    ['enable', 'enable.operator-needed', name === 'canal' ? /^Replace Canal/ : way],
    ['install', 'install.nothing-there', way],
    ['upgrade', 'upgrade.recommend-move', upgrade],
  ] as const) {
    const { findings } = (await look(name, goal)).findings;
    expect(findings.find((one) => one.id === id)?.remedy.steps[0]).toMatch(step);
    expect(findings.flatMap(({ remedy }) => remedy.steps).join('\n')).not.toContain('operator-migration');
  }
});
