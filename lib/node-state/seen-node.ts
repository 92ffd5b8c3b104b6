import { z } from 'zod';
import type { KubeObject } from '#lib/kube/index.ts';
import { isVirtualNode, type LandingNode } from '#lib/spec/index.ts';

/** What is kept of a Node: 5,000 of them with their images would be a hundred megabytes. */
export type SeenNode = LandingNode & {
  /** What the Node itself says (condition Ready), not its agent. */
  ready: boolean;
  kernel: string;
  /** ms; 0 where the server does not say. */
  createdAt: number;
  /** Why it never has an agent of ours to speak of, as a phrase; null where it may have one. */
  apart: string | null;
};

const shape = z.object({
  metadata: z.object({
    name: z.string(),
    labels: z.record(z.string(), z.string()).catch({}),
    creationTimestamp: z.string().catch(''),
  }),
  spec: z
    .object({
      providerID: z.string().nullable().catch(null),
      taints: z.array(z.object({ key: z.string(), value: z.string().optional(), effect: z.string() })).catch([]),
    })
    .catch({ providerID: null, taints: [] }),
  status: z
    .object({
      nodeInfo: z
        .object({ kernelVersion: z.string().catch(''), operatingSystem: z.string().catch('') })
        .catch({ kernelVersion: '', operatingSystem: '' }),
      conditions: z.array(z.object({ type: z.string(), status: z.string() })).catch([]),
    })
    .catch({ nodeInfo: { kernelVersion: '', operatingSystem: '' }, conditions: [] }),
});

/** Null for what has no name. */
export function seenNode(object: KubeObject): SeenNode | null {
  const parsed = shape.safeParse(object);
  if (!parsed.success) return null;
  const { metadata, spec, status } = parsed.data;
  const isWindows = status.nodeInfo.operatingSystem === 'windows' || metadata.labels['kubernetes.io/os'] === 'windows';
  const isVirtual = isVirtualNode({ labels: metadata.labels, taints: spec.taints, providerID: spec.providerID });
  return {
    name: metadata.name,
    labels: metadata.labels,
    taints: spec.taints.map(({ key, value, effect }) =>
      value === undefined ? { key, effect } : { key, value, effect },
    ),
    ready: status.conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
    kernel: status.nodeInfo.kernelVersion,
    createdAt: Date.parse(metadata.creationTimestamp) || 0,
    apart: isWindows
      ? 'it runs Windows, which has a data plane of its own'
      : isVirtual
        ? 'it is virtual and runs no agent'
        : null,
  };
}
