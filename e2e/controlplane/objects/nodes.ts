import { aNode as aSampleNode } from '#lib/sandbox/index.ts';
import type { Api, KubeObject } from '../api.ts';
import { asApplied } from './as-applied.ts';

/** A node as a test wants it; fields that are left out are as in sandboxes. */
export type NodeOptions = {
  readonly name: string;
  /** Counts from 1. The address, pod CIDR and ids of the node are derived from it, so that no two nodes share them. */
  readonly number: number;
  readonly role?: 'control-plane' | 'worker';
  readonly address?: string;
  readonly kernel?: string;
  readonly osImage?: string;
  readonly architecture?: string;
  readonly operatingSystem?: 'linux' | 'windows';
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** As a cloud's controller writes it: `aws:///eu-west-1a/i-0…`. */
  readonly providerID?: string;
};

/** `control-1`, `worker-1`, `worker-2` …: one control plane node, as kubeadm makes them. */
export function standardNodes(count: number): NodeOptions[] {
  return Array.from({ length: count }, (_, i) =>
    i === 0
      ? { name: 'control-1', number: 1, role: 'control-plane' }
      : { name: `worker-${i}`, number: i + 1, role: 'worker' },
  );
}

/**
 * The address of a node. 198.18.0.0/15 is reserved for network tests (RFC 2544) and is not routed,
 * so that a program that dials an emulated node by mistake reaches no foreign machine.
 */
export function nodeAddress(number: number): string {
  return `198.18.${(number + 10) >> 8}.${(number + 10) & 255}`;
}

/** A sandbox's node before anything runs on it: KWOK adds the conditions, the agent its annotations. */
export function aNode(options: NodeOptions, kubernetesVersion: string): KubeObject {
  const { number, operatingSystem, address = nodeAddress(number), ...rest } = options;
  const podCIDR = number < 256 ? `192.168.${number}.0/24` : null;
  const os = operatingSystem === undefined ? {} : { os: operatingSystem };
  const made = aSampleNode({ ...rest, ...os, address, podCIDR, kubelet: kubernetesVersion });
  const { conditions: _conditions, daemonEndpoints: _ports, ...status } = Object(made.status);
  const { [calicoAddress]: _calico, ...annotations } = made.metadata.annotations ?? {};
  const { metadata, ...node } = asApplied(made);
  return { ...node, metadata: { ...metadata, annotations }, status } as KubeObject;
}
const calicoAddress = 'projectcalico.org/IPv4Address';

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
