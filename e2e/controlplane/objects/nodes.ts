import type { Api, KubeObject } from '../api.ts';

/** A node as a test wants it; what is left out is Ubuntu 24.04 on amd64. */
export type NodeWish = {
  readonly name: string;
  /** Counts from 1 and makes what must differ: address, pod CIDR, ids. */
  readonly number: number;
  readonly role?: 'control-plane' | 'worker';
  readonly address?: string;
  readonly kernel?: string;
  readonly osImage?: string;
  readonly architecture?: string;
  readonly operatingSystem?: string;
  readonly containerRuntime?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** As a cloud's controller writes it: `aws:///eu-west-1a/i-0…`. */
  readonly providerID?: string;
};

/** `control-1`, `worker-1`, `worker-2` …: one control plane node, as kubeadm makes them. */
export function standardNodes(count: number): NodeWish[] {
  return Array.from({ length: count }, (_, i) =>
    i === 0
      ? { name: 'control-1', number: 1, role: 'control-plane' }
      : { name: `worker-${i}`, number: i + 1, role: 'worker' },
  );
}

/**
 * Address of a node. 198.18.0.0/15 is set aside for tests of networks (RFC 2544) and routed nowhere:
 * whatever dials one of our nodes by mistake reaches nobody else's.
 */
export function nodeAddress(number: number): string {
  return `198.18.${(number + 10) >> 8}.${(number + 10) & 255}`;
}

export function aNode(wish: NodeWish, kubernetesVersion: string): KubeObject {
  const { name, number } = wish;
  const architecture = wish.architecture ?? 'amd64';
  const operatingSystem = wish.operatingSystem ?? 'linux';
  const uuid = (kind: string) => `00000000-${kind}-4000-8000-${number.toString(16).padStart(12, '0')}`;
  const resources = { cpu: '4', memory: '16Gi', pods: '110', 'ephemeral-storage': '100Gi' };
  const isControlPlane = wish.role === 'control-plane';
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': operatingSystem,
        'kubernetes.io/arch': architecture,
        'beta.kubernetes.io/os': operatingSystem,
        'beta.kubernetes.io/arch': architecture,
        ...(isControlPlane
          ? {
              'node-role.kubernetes.io/control-plane': '',
              'node.kubernetes.io/exclude-from-external-load-balancers': '',
            }
          : {}),
        ...wish.labels,
      },
      annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true', ...wish.annotations },
    },
    spec: {
      ...(wish.providerID === undefined ? {} : { providerID: wish.providerID }),
      ...(number < 256 ? { podCIDR: `192.168.${number}.0/24`, podCIDRs: [`192.168.${number}.0/24`] } : {}),
      ...(isControlPlane ? { taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] } : {}),
    },
    status: {
      addresses: [
        { type: 'InternalIP', address: wish.address ?? nodeAddress(number) },
        { type: 'Hostname', address: name },
      ],
      capacity: resources,
      allocatable: resources,
      nodeInfo: {
        architecture,
        operatingSystem,
        osImage: wish.osImage ?? 'Ubuntu 24.04.1 LTS',
        kernelVersion: wish.kernel ?? '6.8.0-45-generic',
        containerRuntimeVersion: wish.containerRuntime ?? 'containerd://1.7.22',
        kubeletVersion: kubernetesVersion,
        kubeProxyVersion: kubernetesVersion,
        machineID: uuid('0001').replaceAll('-', ''),
        systemUUID: uuid('0002'),
        bootID: uuid('0003'),
      },
    },
  };
}

/** Makes the node with its status; KWOK adds the conditions and leaves the rest. */
export async function createNode(api: Api, node: KubeObject): Promise<void> {
  const { status, ...rest } = node;
  await api.apply(rest as KubeObject);
  await api.apply(
    { apiVersion: 'v1', kind: 'Node', metadata: { name: node.metadata.name }, status },
    { subresource: 'status' },
  );
}

export function internalAddress(node: KubeObject): string | undefined {
  const { addresses } = (node.status ?? {}) as { addresses?: { type: string; address: string }[] };
  return addresses?.find(({ type }) => type === 'InternalIP')?.address;
}

export function isReady(node: KubeObject): boolean {
  const { conditions } = (node.status ?? {}) as { conditions?: { type: string; status: string }[] };
  return conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
}
