import { isRecord } from '#lib/base/records.ts';
import {
  type FactKey,
  type Facts,
  factKeys,
  factsSchema,
  type NodeFact,
  nothingInUse,
  nothingToUpgrade,
} from '#lib/facts/index.ts';
import { type Choices, distributionOf } from '#lib/spec/index.ts';

/** Given fields replace the default's; arrays and `null` replace whole. */
export type Overrides<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [Key in keyof T]?: Overrides<T[Key]> | undefined }
    : T;

/** A node of a healthy kubeadm cluster. `distribution` is derived from `osImage` as by the collector. */
export function aNode(overrides: Partial<NodeFact> = {}): NodeFact {
  const osImage = overrides.osImage ?? 'Ubuntu 24.04.1 LTS';
  return {
    name: 'worker-1',
    os: 'linux',
    architecture: 'amd64',
    osImage,
    distribution: distributionOf(osImage),
    kernel: '6.8.0-45-generic',
    ready: true,
    notReady: overrides.ready === false ? { waitsFor: 'other', because: 'Kubelet stopped posting node status.' } : null,
    unschedulable: false,
    pressures: [],
    addresses: ['10.0.0.11'],
    roles: [],
    providerID: null,
    createdAt: '2026-01-01T00:00:00Z',
    computeType: null,
    virtual: false,
    agentCannotLand: null,
    ...overrides,
  };
}

/** A fully read, healthy kubeadm cluster on the standard data plane, Calico v3.31.4 by the operator, kube-proxy in iptables mode, no endpoint yet. */
export function aFacts(overrides: Overrides<Facts> = {}): Facts {
  return factsSchema.parse(merged(healthy(), overrides));
}

export function someChoices(overrides: Partial<Choices> = {}): Choices {
  return {
    goal: 'enable',
    endpoint: { host: '10.0.0.100', port: '6443' },
    acknowledge: {},
    fix: [],
    acceptProposals: false,
    set: {},
    forgetKubeadmProxy: true,
    ...overrides,
  };
}

/** Another product of lib/spec's table, with default settings. */
export const anotherNetwork = (
  product: string,
  object: string,
  overrides: Partial<Facts['installation']['otherNetworks'][number]> = {},
) => ({ product, object, connects: true, serves: false, attaches: null, evidence: [], ...overrides });

/** The same facts with these keys not covered. Their values stay, because a check must not take them for complete. */
export function uncover(facts: Facts, ...keys: FactKey[]): Facts {
  const coverage = { ...facts.coverage };
  for (const key of keys) {
    coverage[key] = {
      covered: false,
      missing: [{ kind: `KindOf-${key}`, because: 'refused', rule: { verb: 'list', group: '', resource: key } }],
    };
  }
  return { ...facts, coverage };
}

export const deployment = (nameservers: string[] = [], dnsPolicy = 'ClusterFirstWithHostNet') => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'tigera-operator', namespace: 'tigera-operator' },
  spec: { template: { spec: { dnsPolicy, dnsConfig: { nameservers } } } },
});

function healthy(): Record<string, unknown> {
  return {
    apiVersion: 'signalbox.dev/v1',
    kind: 'Facts',
    observedAt: '2026-11-21T10:00:00.000Z',
    cluster: {
      name: 'prod-eu-1',
      source: 'live',
      kubernetesVersion: 'v1.36.3',
      serviceCIDRs: ['10.96.0.0/12'],
      podCIDRs: ['192.168.0.0/16'],
      warnings: [],
      podCIDRsFrom: 'kubeadm',
      evidence: [
        { object: 'kube-system/ConfigMap/kubeadm-config', path: 'data.ClusterConfiguration', value: '10.96.0.0/12' },
      ],
    },
    platform: {
      kind: 'kubeadm',
      evidence: [{ object: 'kube-system/ConfigMap/kubeadm-config', path: 'metadata.name', value: 'kubeadm-config' }],
      provider: { detected: '', evidence: [] },
    },
    nodes: [
      aNode({ name: 'control-1', addresses: ['10.0.0.1'], roles: ['control-plane'] }),
      aNode({ name: 'worker-1' }),
      aNode({ name: 'worker-2', addresses: ['10.0.0.12'] }),
    ],
    installation: {
      method: 'operator',
      manifest: null,
      version: 'v3.31.4',
      operatorVersion: 'v1.40.7',
      datastore: 'kubernetes',
      dataplane: { wanted: 'Iptables', actual: 'Iptables' },
      cni: 'Calico',
      namespace: 'calico-system',
      agent: 'calico-system/DaemonSet/calico-node',
      otherNetworks: [],
      operators: [{ object: 'tigera-operator/Deployment/tigera-operator', version: 'v1.40.7', active: true }],
      migration: null,
      unfinished: null,
      endpointNamespace: 'tigera-operator',
      deviatingNodes: [],
      cleaningUp: [],
      evidence: [{ object: 'Installation/default', path: 'spec.calicoNetwork.linuxDataplane', value: 'Iptables' }],
    },
    proxy: {
      kind: 'daemonset',
      mode: 'iptables',
      running: true,
      pods: { desired: 3, ready: 3 },
      managedBy: null,
      evidence: [{ object: 'kube-system/ConfigMap/kube-proxy', path: "data['config.conf'].mode", value: 'iptables' }],
    },
    endpoint: {
      configMap: null,
      strays: [],
      inUse: ['calico-node', 'install-cni'].map((container) => ({
        object: 'calico-system/DaemonSet/calico-node',
        container,
        host: '10.96.0.1',
        port: '443',
      })),
      apiServers: ['10.0.0.1:6443'],
      clusterIPs: ['10.96.0.1'],
      suggested: null,
      suggestedFrom: null,
      kubeVip: null,
    },
    pools: [
      {
        name: 'default-ipv4-ippool',
        cidr: '192.168.0.0/16',
        encapsulation: 'VXLANCrossSubnet',
        natOutgoing: true,
        disabled: false,
      },
    ],
    features: nothingInUse,
    resources: {
      podCount: 40,
      serviceCount: 12,
      objects: {
        'Installation/default': {
          apiVersion: 'operator.tigera.io/v1',
          kind: 'Installation',
          metadata: { name: 'default' },
          spec: { calicoNetwork: { linuxDataplane: 'Iptables', hostPorts: 'Enabled' } },
        },
        'FelixConfiguration/default': {
          apiVersion: 'crd.projectcalico.org/v1',
          kind: 'FelixConfiguration',
          metadata: { name: 'default', annotations: { 'operator.tigera.io/bpfEnabled': 'false' } },
          spec: { bpfEnabled: false, vxlanPort: 4789 },
        },
        'tigera-operator/Deployment/tigera-operator': deployment(),
        'kube-system/DaemonSet/kube-proxy': {
          apiVersion: 'apps/v1',
          kind: 'DaemonSet',
          metadata: { name: 'kube-proxy', namespace: 'kube-system' },
          spec: {
            template: {
              spec: {
                serviceAccountName: 'kube-proxy',
                volumes: [{ name: 'kube-proxy', configMap: { name: 'kube-proxy' } }],
              },
            },
          },
        },
        'kube-system/ConfigMap/kubeadm-config': {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'kubeadm-config', namespace: 'kube-system' },
        },
        'kube-system/ConfigMap/kube-proxy': {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'kube-proxy', namespace: 'kube-system' },
        },
        'kube-system/ServiceAccount/kube-proxy': {
          apiVersion: 'v1',
          kind: 'ServiceAccount',
          metadata: { name: 'kube-proxy', namespace: 'kube-system' },
        },
      },
      tigeraStatuses: [aTigeraStatus('calico'), aTigeraStatus('apiserver')],
      ownership: [],
      leftBehind: [],
      helmReleases: [],
      access: [
        { verb: 'patch', group: 'operator.tigera.io', resource: 'installations', name: 'default', allowed: true },
        { verb: 'patch', group: 'apps', resource: 'daemonsets', namespace: 'kube-system', allowed: true },
      ],
      apis: { v3Available: true, failing: [] },
      v3Unavailable: null,
      webhooks: [],
      endpointProbe: {
        endpoint: { host: '10.0.0.100', port: 6443 },
        name: { resolved: true, addresses: ['10.0.0.100'], by: 'address', records: [], aliases: [] },
        connection: { made: true, latencyMs: 3 },
        latency: { minMs: 2, medianMs: 3 },
        certificate: {
          verified: true,
          names: ['10.0.0.100', 'kubernetes.default.svc'],
          issuer: 'kubernetes',
          expiresAt: '2027-11-21T10:00:00.000Z',
        },
        ready: { status: 200, ok: true, failing: [] },
        servers: [],
        dialled: ['10.0.0.100:6443'],
        leftAlone: [],
      },
    },
    measured: null,
    upgrade: {
      ...nothingToUpgrade,
      hostEndpoints: { ...nothingToUpgrade.hostEndpoints, autoCreate: 'Disabled' },
    },
    coverage: Object.fromEntries(factKeys.map((key) => [key, { covered: true, missing: [] }])),
  };
}

export function aTigeraStatus(
  name: string,
  conditions: Record<string, string> = { Available: 'True', Progressing: 'False', Degraded: 'False' },
) {
  return {
    name,
    conditions: Object.entries(conditions).map(([type, status]) => ({
      type,
      status,
      reason: 'AllObjectsAvailable',
      message: 'All objects available',
      since: '2026-01-01T00:00:00Z',
      observedGeneration: 1,
    })),
  };
}

function merged(base: unknown, overrides: unknown): unknown {
  if (!isRecord(base) || !isRecord(overrides)) return overrides;
  const result: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(overrides)) {
    if (value === undefined) delete result[key];
    else result[key] = key in base ? merged(result[key], value) : value;
  }
  return result;
}
