import type { Findings } from '#lib/checks/index.ts';
import { aFacts, aNode as aNodeLike } from '#lib/checks/testing/a-facts.ts';
import type { Facts, NodeFact } from '#lib/facts/index.ts';
import { type Choices, choicesSchema } from '#lib/spec/index.ts';
import { makePlan } from '../make-plan.ts';
import type { Plan } from '../plan.ts';

/** Facts and plans for tests: a healthy kubeadm cluster of three nodes, with given differences. */

type Objects = Facts['resources']['objects'];

export const ids = {
  installation: 'Installation/default',
  felix: 'FelixConfiguration/default',
  endpoint: 'tigera-operator/ConfigMap/kubernetes-services-endpoint',
  operator: 'tigera-operator/Deployment/tigera-operator',
  agents: 'calico-system/DaemonSet/calico-node',
  proxy: 'kube-system/DaemonSet/kube-proxy',
  proxyConfig: 'kube-system/ConfigMap/kube-proxy',
  dns: 'kube-system/Service/kube-dns',
} as const;

export const proxyConfig = (mode: string) =>
  `apiVersion: kubeproxy.config.k8s.io/v1alpha1\nbindAddress: 0.0.0.0\nipvs:\n  scheduler: ""\n  mode: kept\nkind: KubeProxyConfiguration\nmode: ${mode}\nportRange: ""\n`;

export function objects(): Objects {
  return {
    'Namespace/kube-system': object('v1', 'Namespace', 'kube-system', undefined, {}, { uid: 'cluster-uid' }),
    [ids.installation]: object('operator.tigera.io/v1', 'Installation', 'default', undefined, {
      spec: { variant: 'Calico', calicoNetwork: { linuxDataplane: 'Iptables', hostPorts: 'Enabled' } },
    }),
    [ids.felix]: object(
      'crd.projectcalico.org/v1',
      'FelixConfiguration',
      'default',
      undefined,
      { spec: { bpfEnabled: false, healthPort: 9099 } },
      { annotations: { 'operator.tigera.io/bpfEnabled': 'false' } },
    ),
    [ids.endpoint]: null,
    [ids.operator]: object('apps/v1', 'Deployment', 'tigera-operator', 'tigera-operator', {
      spec: {
        replicas: 1,
        template: {
          metadata: { labels: { 'k8s-app': 'tigera-operator' } },
          spec: { dnsPolicy: 'ClusterFirstWithHostNet', containers: [{ name: 'tigera-operator' }] },
        },
      },
      status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1 },
    }),
    [ids.agents]: daemonSet('calico-node', 'calico-system', 3),
    [ids.proxy]: daemonSet('kube-proxy', 'kube-system', 3),
    [ids.proxyConfig]: object('v1', 'ConfigMap', 'kube-proxy', 'kube-system', {
      data: { 'config.conf': proxyConfig('iptables'), 'kubeconfig.conf': 'apiVersion: v1\nkind: Config\n' },
    }),
    [ids.dns]: object('v1', 'Service', 'kube-dns', 'kube-system', {
      spec: { clusterIP: '10.96.0.10' },
    }),
  };
}

/** Only the fact: a plan changes the Service only if the finding's fix is chosen. */
const dnsCache: Facts['features']['nodeLocalDnsCaches'][number] = {
  object: 'kube-system/DaemonSet/node-local-dns',
  binds: ['169.254.20.10', '10.96.0.10'],
  services: [
    { object: ids.dns, addresses: ['10.96.0.10'], bound: true, asked: false, isAnnotated: false, isInCidrs: false },
  ],
  evidence: [],
};

export function daemonSet(name: string, namespace: string, pods: number) {
  return object('apps/v1', 'DaemonSet', name, namespace, {
    spec: {
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      template: {
        metadata: { labels: { 'k8s-app': name } },
        spec: { nodeSelector: { 'kubernetes.io/os': 'linux' }, containers: [{ name }] },
      },
    },
    status: {
      observedGeneration: 1,
      desiredNumberScheduled: pods,
      currentNumberScheduled: pods,
      numberMisscheduled: 0,
      updatedNumberScheduled: pods,
      numberAvailable: pods,
      numberReady: pods,
    },
  });
}

export function object(
  apiVersion: string,
  kind: string,
  name: string,
  namespace: string | undefined,
  rest: Record<string, unknown>,
  metadata: Record<string, unknown> = {},
): NonNullable<Objects[string]> {
  return {
    apiVersion,
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), generation: 1, ...metadata },
    ...rest,
  };
}

export function aNode(name: string, rest: Partial<NodeFact> = {}): NodeFact {
  return aNodeLike({ name, ...rest });
}

/** Differences from a healthy cluster. `objects` are merged by id; null is an object that does not exist. */
export type Difference = {
  [Part in 'cluster' | 'platform' | 'installation' | 'proxy' | 'endpoint']?: Partial<Facts[Part]>;
} & {
  nodes?: NodeFact[];
  measured?: Facts['measured'];
  resources?: Partial<Omit<Facts['resources'], 'objects'>>;
  objects?: Objects;
};

export function aCluster(difference: Difference = {}): Facts {
  const { objects: differing, resources, nodes, measured = null, ...parts } = difference;
  const healthy = aFacts();
  return {
    ...healthy,
    measured,
    cluster: { ...healthy.cluster, name: 'prod', ...parts.cluster },
    platform: { ...healthy.platform, ...parts.platform },
    nodes: nodes ?? ['control-1', 'worker-1', 'worker-2'].map((name) => aNode(name)),
    installation: { ...healthy.installation, ...parts.installation },
    proxy: { ...healthy.proxy, ...parts.proxy },
    endpoint: { ...healthy.endpoint, inUse: carriers('10.96.0.1', '443'), ...parts.endpoint },
    pools: [],
    features: { ...healthy.features, nodeLocalDnsCaches: [dnsCache] },
    resources: {
      ...healthy.resources,
      objects: { ...objects(), ...differing },
      tigeraStatuses: [],
      access: [],
      apis: { v3Available: null, failing: [] },
      endpointProbe: { because: 'not asked' },
      ...resources,
    },
  };
}

export function carriers(host: string, port: string): Facts['endpoint']['inUse'] {
  return [
    ['calico-system/DaemonSet/calico-node', 'calico-node'],
    ['calico-system/DaemonSet/calico-node', 'install-cni'],
    ['calico-system/Deployment/calico-typha', 'calico-typha'],
  ].map(([object = '', container = '']) => ({ object, container, host, port }));
}

export function endpointObject(host: string, port: string) {
  return object('v1', 'ConfigMap', 'kubernetes-services-endpoint', 'tigera-operator', {
    data: { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port },
  });
}

export function choose(overrides: Partial<Choices> = {}): Choices {
  return choicesSchema.parse({ goal: 'enable', endpoint: { host: '10.0.0.100', port: '6443' }, ...overrides });
}

export function someFindings(overrides: Partial<Findings> = {}): Findings {
  return {
    apiVersion: 'signalbox.dev/v1',
    kind: 'Findings',
    goal: 'enable',
    cluster: 'prod',
    verdict: 'ready',
    counts: { fail: { blocking: 0, warning: 0, info: 0 }, unknown: 0, pass: 0, skipped: 0 },
    findings: [],
    checkedAt: '2026-11-21T10:00:00.000Z',
    ...overrides,
  };
}

export function aPlan(difference: Difference = {}, choices: Partial<Choices> = {}): Plan {
  return makePlan({
    facts: aCluster(difference),
    choices: choose(choices),
    findings: someFindings(),
    now: '2026-11-21T10:00:01.000Z',
  });
}

/** The plan's ids in order, with steps that are already done in brackets. */
export function outline(plan: Plan): string[] {
  return plan.operations.map(({ id, status }) => (status === 'needed' ? id : `(${id})`));
}
