import type { KubeObject } from '#lib/kube/index.ts';
import { aNode as aSampleNode } from '#lib/sandbox/index.ts';

/** A kubeadm cluster with Calico by operator on the standard data plane: what most tests start from. Small, and each object as its writer makes it. */

export function aNode(overrides: {
  name?: string;
  osImage?: string;
  kernel?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  providerID?: string;
  address?: string;
  taints?: { key: string; value?: string; effect: string }[];
  kubelet?: string;
  conditions?: { type: string; status: string; reason?: string; message?: string }[];
}): KubeObject {
  const { taints, conditions, ...rest } = overrides;
  const made = aSampleNode({
    name: 'worker-1',
    address: '198.18.0.11',
    kubelet: 'v1.36.3',
    podCIDR: null,
    now: Date.UTC(2026, 0, 31),
    ...rest,
  });
  return {
    ...made,
    spec: { ...Object(made.spec), ...(taints === undefined ? {} : { taints }) },
    status: { ...Object(made.status), ...(conditions === undefined ? {} : { conditions }) },
  };
}

export function aConfigMap(namespace: string, name: string, data: Record<string, string>): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data };
}

type Variable = { name: string; value: string };
type ContainerGiven = { name: string; image?: string; env?: Variable[]; envFrom?: unknown[]; command?: string[] };

export function aDaemonSet(overrides: {
  namespace: string;
  name: string;
  containers: ContainerGiven[];
  initContainers?: ContainerGiven[];
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  nodeSelector?: Record<string, string>;
  desired?: number;
  /** Beside the numbers of pods that `desired` gives. */
  status?: Record<string, number>;
}): KubeObject {
  const { namespace, name, labels, annotations, desired = 2 } = overrides;
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { namespace, name, labels: { 'k8s-app': name, ...labels }, annotations: { ...annotations } },
    spec: {
      selector: { matchLabels: { 'k8s-app': name } },
      template: {
        metadata: { labels: { 'k8s-app': name } },
        spec: {
          hostNetwork: true,
          nodeSelector: { 'kubernetes.io/os': 'linux', ...overrides.nodeSelector },
          tolerations: [{ operator: 'Exists' }],
          initContainers: overrides.initContainers ?? [],
          containers: overrides.containers,
        },
      },
    },
    status: {
      desiredNumberScheduled: desired,
      currentNumberScheduled: desired,
      numberReady: desired,
      ...overrides.status,
    },
  };
}

export function aDeployment(overrides: {
  namespace: string;
  name: string;
  image: string;
  env?: Variable[];
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}): KubeObject {
  const { namespace, name, image, env = [] } = overrides;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      namespace,
      name,
      labels: { 'k8s-app': name, ...overrides.labels },
      annotations: { ...overrides.annotations },
    },
    spec: {
      selector: { matchLabels: { 'k8s-app': name } },
      template: { metadata: { labels: { 'k8s-app': name } }, spec: { containers: [{ name, image, env }] } },
    },
  };
}

export const agentContainers = (env: Variable[] = []) => ({
  initContainers: [
    { name: 'ebpf-bootstrap', image: 'quay.io/calico/node:v3.31.4' },
    { name: 'install-cni', image: 'quay.io/calico/cni:v3.31.4', env },
  ],
  containers: [
    {
      name: 'calico-node',
      image: 'quay.io/calico/node:v3.31.4',
      env: [{ name: 'DATASTORE_TYPE', value: 'kubernetes' }, ...env],
    },
  ],
});

export function anInstallation(linuxDataplane = 'Iptables', more: Record<string, unknown> = {}): KubeObject {
  return {
    apiVersion: 'operator.tigera.io/v1',
    kind: 'Installation',
    metadata: { name: 'default', generation: 2 },
    spec: {
      variant: 'Calico',
      cni: { type: 'Calico' },
      calicoNetwork: { linuxDataplane, hostPorts: 'Enabled', ...more },
    },
    status: { calicoVersion: 'v3.31.4' },
  };
}

export function aFelixConfiguration(name: string, spec: Record<string, unknown>): KubeObject {
  return { apiVersion: 'crd.projectcalico.org/v1', kind: 'FelixConfiguration', metadata: { name }, spec };
}

export const kubeadmConfig = aConfigMap('kube-system', 'kubeadm-config', {
  ClusterConfiguration: [
    'apiVersion: kubeadm.k8s.io/v1beta4',
    'kind: ClusterConfiguration',
    'kubernetesVersion: v1.36.3',
    'controlPlaneEndpoint: api.lab.example:6443',
    'networking:',
    '  podSubnet: 192.168.0.0/16',
    '  serviceSubnet: 10.96.0.0/12',
    '',
  ].join('\n'),
});

export function aProxyConfig(mode: string): KubeObject {
  return aConfigMap('kube-system', 'kube-proxy', {
    'config.conf': `apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nmode: "${mode}"\n`,
  });
}

export function aProxy(overrides: Partial<Parameters<typeof aDaemonSet>[0]> = {}): KubeObject {
  return aDaemonSet({
    namespace: 'kube-system',
    name: 'kube-proxy',
    containers: [{ name: 'kube-proxy', command: ['kube-proxy', '--config=/var/lib/kube-proxy/config.conf'] }],
    ...overrides,
  });
}

export function kubernetesObjects(servers: string[] = ['198.18.0.11']): KubeObject[] {
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { namespace: 'default', name: 'kubernetes' },
      spec: {
        clusterIP: '10.96.0.1',
        clusterIPs: ['10.96.0.1'],
        ports: [{ name: 'https', port: 443, protocol: 'TCP' }],
      },
    },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { namespace: 'default', name: 'kubernetes', labels: { 'kubernetes.io/service-name': 'kubernetes' } },
      addressType: 'IPv4',
      endpoints: servers.map((address) => ({ addresses: [address] })),
      ports: [{ name: 'https', port: 6443, protocol: 'TCP' }],
    },
  ];
}

export function standardCluster(): KubeObject[] {
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system', uid: 'a-uid' } },
    aNode({ name: 'control-1', labels: { 'node-role.kubernetes.io/control-plane': '' } }),
    aNode({ name: 'worker-1', address: '198.18.0.12' }),
    kubeadmConfig,
    aProxyConfig(''),
    aProxy(),
    ...kubernetesObjects(),
    anInstallation(),
    aDeployment({ namespace: 'tigera-operator', name: 'tigera-operator', image: 'quay.io/tigera/operator:v1.40.7' }),
    aDaemonSet({ namespace: 'calico-system', name: 'calico-node', ...agentContainers() }),
    aDeployment({ namespace: 'calico-system', name: 'calico-typha', image: 'quay.io/calico/typha:v3.31.4' }),
    aDeployment({
      namespace: 'calico-system',
      name: 'calico-kube-controllers',
      image: 'quay.io/calico/kube-controllers:v3.31.4',
    }),
    aFelixConfiguration('default', { bpfEnabled: false, nftablesMode: 'Disabled' }),
    {
      apiVersion: 'crd.projectcalico.org/v1',
      kind: 'IPPool',
      metadata: { name: 'default-ipv4-ippool' },
      spec: { cidr: '192.168.0.0/16', ipipMode: 'Never', vxlanMode: 'CrossSubnet', natOutgoing: true },
    },
    {
      apiVersion: 'operator.tigera.io/v1',
      kind: 'TigeraStatus',
      metadata: { name: 'calico' },
      status: { conditions: [{ type: 'Available', status: 'True', observedGeneration: 2 }] },
    },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace: 'default', name: 'web-1' },
      spec: { nodeName: 'worker-1', containers: [{ name: 'web', image: 'web' }] },
    },
  ];
}
