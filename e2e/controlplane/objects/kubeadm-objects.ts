import { mirrorPod, kubeadmObjects as sampleObjects, standard } from '#lib/sandbox/parts.ts';
import type { KubeObject } from '../api.ts';
import { asApplied } from './as-applied.ts';
import { nodeAddress } from './nodes.ts';

/** The options of an emulated kubeadm cluster: they decide its ConfigMaps, kube-proxy, CoreDNS and the static pods of the control plane. */
export type KubeadmCluster = {
  readonly kubernetesVersion: string;
  readonly ca: string;
  /** `host:port` of the API server as nodes see it. */
  readonly endpoint: string;
  readonly kubeProxy: 'on' | 'turned-off-by-selector';
};

/** The host name of the control plane's load balancer. It is in a domain that is reserved for tests (RFC 2606), so that it never resolves. */
export const defaultEndpoint = 'api.signalbox.test:6443';

const firstControlPlane = { name: 'control-1', role: 'control-plane', address: nodeAddress(1) } as const;

/** The objects of a sandbox's kubeadm cluster, and those that a real API server needs in addition. */
export function kubeadmObjects({ kubernetesVersion, ca, endpoint, kubeProxy }: KubeadmCluster): KubeObject[] {
  const sample = sampleObjects({
    ...standard,
    now: Date.now(),
    kubernetesVersion,
    ca,
    nodes: [firstControlPlane],
    controlPlaneEndpoint: endpoint,
    proxy: { mode: 'iptables', turnedOff: kubeProxy !== 'on' },
  });
  return [
    ...sample.filter((object) => !isMadeByServer(object)).map(asApplied),
    ...rights,
    apiServerEndpoints,
    ...staticPods(kubernetesVersion),
  ];
}

/** The API server creates its own Service, and these namespaces. */
function isMadeByServer({ kind, metadata: { name } }: { kind: string; metadata: { name?: string } }): boolean {
  return kind === 'Namespace' || (kind === 'Service' && name === 'kubernetes');
}

const rights: readonly KubeObject[] = [
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: 'kube-system', name: 'coredns' } },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'kubeadm:node-proxier' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:node-proxier' },
    subjects: [{ kind: 'ServiceAccount', name: 'kube-proxy', namespace: 'kube-system' }],
  },
];

/** Goes with the sample's EndpointSlice. The API server would write both itself, with its loopback address, so its reconciler is off. */
const apiServerEndpoints: KubeObject = {
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: {
    namespace: 'default',
    name: 'kubernetes',
    labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' },
  },
  subsets: [
    { addresses: [{ ip: firstControlPlane.address }], ports: [{ name: 'https', port: 6443, protocol: 'TCP' }] },
  ],
};

/** Mirror pods: the objects by which the kubelet of the control plane node shows its static pods. */
function staticPods(kubernetesVersion: string): KubeObject[] {
  const images: Readonly<Record<string, string>> = {
    'kube-apiserver': `registry.k8s.io/kube-apiserver:${kubernetesVersion}`,
    'kube-controller-manager': `registry.k8s.io/kube-controller-manager:${kubernetesVersion}`,
    'kube-scheduler': `registry.k8s.io/kube-scheduler:${kubernetesVersion}`,
    etcd: 'registry.k8s.io/etcd:3.6.6-0',
  };
  return Object.entries(images).map(([component, image]) => {
    const pod = asApplied(mirrorPod(firstControlPlane, component, image, [component], ''));
    const advertised = { [advertise]: `${firstControlPlane.address}:6443` };
    const annotations = { ...pod.metadata.annotations, ...(component === 'kube-apiserver' ? advertised : {}) };
    return { ...pod, metadata: { ...pod.metadata, annotations } };
  });
}
const advertise = 'kubeadm.kubernetes.io/kube-apiserver.advertise-address.endpoint';
