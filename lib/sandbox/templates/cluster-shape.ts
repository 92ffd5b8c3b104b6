import type { InstallationSpec, Provider } from '#lib/installation/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import type { NodeDescription } from '../builders.ts';
import type { SampleRelease } from './release.ts';

/** The ways in which samples differ. Everything that follows from them is as kubeadm and the operator leave it. */
export type ClusterShape = {
  /** Milliseconds since the epoch. Everything in the sample is older. */
  now: number;
  kubernetesVersion: string;
  nodes: readonly NodeDescription[];
  /** `host:port`, in kubeadm-config and cluster-info. */
  controlPlaneEndpoint: string;
  /** PEM of the API server's certificate authority, in cluster-info. Absent: a text that is no certificate. */
  ca?: string;
  /** Pod network in kubeadm's configuration. Absent: 192.168.0.0/16. Null: kubeadm's configuration names none. */
  podSubnet?: string | null;
  /** `host:port` of the endpoints that answer, where the cluster's own objects say something else (answering-endpoints.ts). */
  answers?: readonly string[];
  /** The Calico release that runs. Absent: the one of the other samples. */
  calico?: SampleRelease;
  dataplane: 'Iptables' | 'BPF';
  /** The endpoint ConfigMap. Null: there is none, and pods use the Service's ClusterIP. */
  endpoint: { host: string; port: string } | null;
  proxy: { mode: 'iptables' | 'ipvs' | 'nftables'; turnedOff: boolean };
  /** Addresses of the API servers where these are no nodes of the cluster, as in hosted services. */
  apiServers?: readonly string[];
  /** Port of the API servers. Absent: 6443. Hosted services and kOps serve the API at 443. */
  apiServerPort?: number;
  /** The Installation's provider: what the operator detects, or for AKS, which it cannot detect, what somebody wrote. */
  provider?: Provider;
  /** The Installation's CNI plugin. Absent: Calico's own. */
  cni?: NonNullable<NonNullable<InstallationSpec['cni']>['type']>;
  encapsulation?: 'VXLANCrossSubnet' | 'IPIP';
  /** The Installation's MTU. Absent: the operator chooses. */
  mtu?: number;
  /** Changes the objects as a platform or a failure would, before controllers and nodes have settled. */
  variation?: Variation;
};

export type Variation = (objects: readonly KubeObject[]) => KubeObject[];

export const serviceSubnet = '10.96.0.0/12';
export const podSubnet = '192.168.0.0/16';
export const kubernetesServiceIP = '10.96.0.1';
/** The endpoint that the kubelet injects into every pod (calico.md §3.2). */
export const injectedEndpoint = { host: kubernetesServiceIP, port: '443' };
export const dnsServiceIP = '10.96.0.10';

/** Six nodes: one control plane node and five workers, each with its /24 of the pod network. */
export function sixNodes(): NodeDescription[] {
  const names = ['control-1', 'worker-1', 'worker-2', 'worker-3', 'worker-4', 'worker-5'];
  return names.map((name, index) => ({
    name,
    role: index === 0 ? 'control-plane' : 'worker',
    address: `10.0.0.${11 + index}`,
    podCIDR: `192.168.${index}.0/24`,
  }));
}

export function controlPlaneAddresses(shape: ClusterShape): readonly string[] {
  if (shape.apiServers) return shape.apiServers;
  return shape.nodes.filter(({ role }) => role === 'control-plane').map(({ address = '' }) => address);
}
