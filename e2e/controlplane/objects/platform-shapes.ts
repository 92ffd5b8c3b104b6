import type { KubeObject } from '../api.ts';
import { defaultEndpoint } from './kubeadm-objects.ts';
import { type NodeOptions, standardNodes } from './nodes.ts';
import { openshiftObjects } from './openshift-objects.ts';

/** The objects of a platform's new cluster, before a network is installed, as far as an installation of Calico reads or changes them. */
export type PlatformShape = {
  readonly nodes: readonly NodeOptions[];
  /** `host:port` at which its nodes reach the API server. */
  readonly endpoint: string;
  /** Whether the platform lacks this object of kubeadm. */
  readonly lacks: (object: KubeObject) => boolean;
  readonly adds: readonly KubeObject[];
};

const is =
  (...ids: readonly string[]) =>
  ({ kind, metadata }: KubeObject): boolean =>
    ids.includes(`${kind}/${metadata.name}`);
const either =
  (...lacks: readonly PlatformShape['lacks'][]): PlatformShape['lacks'] =>
  (object) =>
    lacks.some((one) => one(object));

const byKubeadm = is('ConfigMap/kubeadm-config', 'ConfigMap/cluster-info');
const proxyOfKubeadm = is(
  'DaemonSet/kube-proxy',
  'ConfigMap/kube-proxy',
  'ServiceAccount/kube-proxy',
  'ClusterRoleBinding/kubeadm:node-proxier',
);
/** A hosted service does not show its control plane. */
const staticPods = ({ kind, metadata }: KubeObject): boolean =>
  kind === 'Pod' && metadata.annotations?.['kubernetes.io/config.source'] === 'file';

const workers = (differs: (index: number) => Omit<NodeOptions, 'number'>): NodeOptions[] =>
  Array.from({ length: 3 }, (_, index) => ({ number: index + 1, role: 'worker', ...differs(index) }));

function configMap(name: string, data: Readonly<Record<string, string>>): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'kube-system', name }, data };
}

/** A daemon on the host network of every node. */
function daemon(name: string, container: string, labels: Readonly<Record<string, string>>): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { namespace: 'kube-system', name, labels },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          hostNetwork: true,
          tolerations: [{ operator: 'Exists' }],
          containers: [{ name: container, image: `images.signalbox.test/${name}:v1` }],
        },
      },
    },
  };
}

/** kube-proxy that each node's own agent starts: the API has only its mirror pod. */
function proxyPodOn(node: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace: 'kube-system',
      name: `kube-proxy-${node}`,
      labels: { 'k8s-app': 'kube-proxy' },
      annotations: { 'kubernetes.io/config.mirror': '0', 'kubernetes.io/config.source': 'file' },
    },
    spec: {
      nodeName: node,
      hostNetwork: true,
      priorityClassName: 'system-node-critical',
      tolerations: [{ operator: 'Exists' }],
      containers: [
        {
          name: 'kube-proxy',
          image: 'images.signalbox.test/kube-proxy:v1',
          command: ['kube-proxy', '--proxy-mode=iptables'],
        },
      ],
    },
  };
}

const kopsNodes = standardNodes(3).map(
  (node): NodeOptions => ({
    ...node,
    providerID: `aws:///eu-west-1a/i-0000000000000000${node.number}`,
    labels: {
      'kops.k8s.io/instancegroup': node.role === 'control-plane' ? 'control-plane-eu-west-1a' : 'nodes-eu-west-1a',
    },
  }),
);

export const platformShapes = {
  kubeadm: { nodes: standardNodes(3), endpoint: defaultEndpoint, lacks: () => false, adds: [] },
  /** `kubeadm init --skip-phases=addon/kube-proxy`. */
  'kubeadm-without-proxy': { nodes: standardNodes(3), endpoint: defaultEndpoint, lacks: proxyOfKubeadm, adds: [] },
  /** Every new cluster has the Amazon VPC CNI. */
  eks: {
    nodes: workers((index) => ({
      name: `ip-10-0-0-${11 + index}.eu-west-1.compute.internal`,
      providerID: `aws:///eu-west-1a/i-0000000000000000${index}`,
      labels: { 'eks.amazonaws.com/nodegroup': 'default' },
      osImage: 'Amazon Linux 2023.6.20241010',
      kernel: '6.1.112-122.189.amzn2023.x86_64',
    })),
    endpoint: 'a1b2c3d4e5f6.gr7.eu-west-1.eks.signalbox.test:443',
    lacks: either(byKubeadm, staticPods),
    adds: [configMap('aws-auth', { mapRoles: '[]\n' }), daemon('aws-node', 'aws-node', { 'k8s-app': 'aws-node' })],
  },
  /** `--network-plugin none`. */
  aks: {
    nodes: workers((index) => ({
      name: `aks-nodepool1-12345678-vmss00000${index}`,
      providerID: `azure:///subscriptions/0000/resourceGroups/mc/providers/Microsoft.Compute/virtualMachineScaleSets/vmss/virtualMachines/${index}`,
      labels: { 'kubernetes.azure.com/cluster': 'mc', agentpool: 'nodepool1' },
      osImage: 'Ubuntu 22.04.5 LTS',
      kernel: '5.15.0-1075-azure',
    })),
    endpoint: 'cluster-dns-1a2b3c4d.hcp.westeurope.azmk8s.signalbox.test:443',
    lacks: either(byKubeadm, staticPods),
    adds: [],
  },
  /** `networking: cni: {}`. */
  kops: {
    nodes: kopsNodes,
    endpoint: 'api.internal.k8s.signalbox.test:443',
    lacks: either(byKubeadm, proxyOfKubeadm),
    adds: [
      configMap('kops-controller', { 'config.yaml': '{"clusterName":"k8s.signalbox.test","cloud":"aws"}\n' }),
      ...kopsNodes.map(({ name }) => proxyPodOn(name)),
    ],
  },
  /** `networkType: Calico` in install-config.yaml: no network, and a proxy that its network operator runs (openshift.ts). */
  openshift: {
    nodes: standardNodes(3).map((node) => ({
      ...node,
      labels: { 'node.openshift.io/os_id': 'rhcos' },
      osImage: 'Red Hat Enterprise Linux CoreOS 418.94.202410090804-0',
      kernel: '5.14.0-427.42.1.el9_4.x86_64',
    })),
    endpoint: 'api.ocp.signalbox.test:6443',
    lacks: either(byKubeadm, proxyOfKubeadm, staticPods),
    adds: openshiftObjects,
  },
  /** `disableDefaultCNI: true`. */
  kind: {
    nodes: standardNodes(3).map((node) => ({
      ...node,
      providerID: `kind://docker/signalbox/${node.name}`,
      osImage: 'Debian GNU/Linux 12 (bookworm)',
    })),
    endpoint: defaultEndpoint,
    lacks: () => false,
    adds: [],
  },
} as const satisfies Readonly<Record<string, PlatformShape>>;

export type PlatformName = keyof typeof platformShapes;
export const platformNames = Object.keys(platformShapes) as [PlatformName, ...PlatformName[]];
