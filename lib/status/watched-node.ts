import { z } from 'zod';
import type { KubeObject } from '#lib/kube/index.ts';
import { isVirtual } from '#lib/run/index.ts';
import type { LandingNode } from '#lib/spec/index.ts';

/** What is kept of a Node: 5,000 of them with their images would be a hundred megabytes. */
export type WatchedNode = LandingNode & {
  ready: boolean;
  kernel: string;
  /** Why it has no agent of ours to speak of, as a phrase; null where it may have one. */
  apart: string | null;
};

const shape = z.object({
  metadata: z.object({ name: z.string(), labels: z.record(z.string(), z.string()).catch({}) }),
  spec: z
    .object({
      providerID: z.string().optional().catch(undefined),
      taints: z
        .array(z.object({ key: z.string(), value: z.string().optional(), effect: z.string() }))
        .catch([])
        .default([]),
    })
    .catch({ taints: [] }),
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
export function watchedNode(object: KubeObject): WatchedNode | null {
  const parsed = shape.safeParse(object);
  if (!parsed.success) return null;
  const { metadata, spec, status } = parsed.data;
  const isWindows = status.nodeInfo.operatingSystem === 'windows' || metadata.labels['kubernetes.io/os'] === 'windows';
  return {
    name: metadata.name,
    labels: metadata.labels,
    taints: spec.taints.map(({ key, value, effect }) =>
      value === undefined ? { key, effect } : { key, value, effect },
    ),
    ready: status.conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
    kernel: status.nodeInfo.kernelVersion,
    apart: isWindows
      ? 'it runs Windows, which has a data plane of its own'
      : isVirtual(metadata.labels, spec.providerID)
        ? 'it is virtual and runs no agent'
        : null,
  };
}
