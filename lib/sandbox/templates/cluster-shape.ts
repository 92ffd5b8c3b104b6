import type { InstallationSpec, Provider } from '#lib/installation/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import type { NodeDescription } from '../builders.ts';
import type { SampleRelease } from './release.ts';

/** What samples differ in. Everything that follows from it is as kubeadm and the operator leave it. */
export type ClusterShape = {
  /** Milliseconds since the epoch: everything in the sample is older. */
  now: number;
  kubernetesVersion: string;
  nodes: readonly NodeDescription[];
  /** `host:port`, in kubeadm-config and cluster-info. */
  controlPlaneEndpoint: string;
  /** PEM of the API server's authority, in cluster-info. Absent: words that are no certificate. */
  ca?: string;
  /** Absent: 192.168.0.0/16. Null: kubeadm was not told one. */
  podSubnet?: string | null;
  /** Endpoints that answer, where the cluster's own objects would say otherwise (answering-endpoints.ts). */
  answers?: readonly string[];
  /** The release that runs; absent: that of the other samples. */
  calico?: SampleRelease;
  dataplane: 'Iptables' | 'BPF';
  /** The endpoint ConfigMap; null: pods use the Service's ClusterIP. */
  endpoint: { host: string; port: string } | null;
  proxy: { mode: 'iptables' | 'ipvs' | 'nftables'; turnedOff: boolean };
  /** Where the API servers are no nodes of the cluster: hosted services. */
  apiServers?: readonly string[];
  /** 6443 unless given: hosted services and kOps serve the API at 443. */
  apiServerPort?: number;
  /** As the operator detects it; AKS, which it cannot detect, was given. */
  provider?: Provider;
  /** Absent: Calico's own. */
  cni?: NonNullable<NonNullable<InstallationSpec['cni']>['type']>;
  encapsulation?: 'VXLANCrossSubnet' | 'IPIP';
  /** Of the Installation; absent: the operator's own choice. */
  mtu?: number;
  /** What a platform or a failure makes of the objects, before controllers and nodes have settled. */
  variation?: Variation;
};

export type Variation = (objects: readonly KubeObject[]) => KubeObject[];

export const serviceSubnet = '10.96.0.0/12';
export const podSubnet = '192.168.0.0/16';
export const kubernetesServiceIP = '10.96.0.1';
/** What the kubelet injects into every pod (calico.md §3.2). */
export const injectedEndpoint = { host: kubernetesServiceIP, port: '443' };
export const dnsServiceIP = '10.96.0.10';

/** Six nodes: one control plane, five workers, each with its /24 of the pod network. */
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
