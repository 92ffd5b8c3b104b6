import { z } from 'zod';
import type { Kube, KubeObject } from '#lib/kube/index.ts';
import { cannotLand, type LandingNode, type LandingPod, names, resources } from '#lib/spec/index.ts';
import { valueAt } from '../fields.ts';
import { type PodState, podState, podsOf } from '../rollout.ts';

/** A node while the data plane is being proven. `counts: null`: it holds the switch up until proven; else why it does not. */
export type CountedNode = { name: string; kernel: string; pod: PodState | null; counts: null | { because: string } };

/** Nodes younger than this are listed and hold nothing up (operations.md › Proof of a node). */
const youngMs = 10 * 60_000;

const nodeParts = z.object({
  metadata: z.object({
    name: z.string(),
    labels: z.record(z.string(), z.string()).default({}),
    creationTimestamp: z.string().optional(),
  }),
  spec: z
    .object({
      providerID: z.string().optional(),
      taints: z.array(z.object({ key: z.string(), value: z.string().optional(), effect: z.string() })).default([]),
    })
    .default({ taints: [] }),
  status: z.object({ nodeInfo: z.object({ kernelVersion: z.string().default('') }).optional() }).default({}),
});

/**
 * Nodes that have, or are owed, an agent pod, judged afresh at every tick: deleted ones drop out, virtual ones never count.
 * `runStartedAt` (ms): nodes that were there before the run count however young they are, else a fresh test cluster would prove nothing.
 */
export async function countedNodes(
  kube: Kube,
  daemonSet: KubeObject,
  nowMs: number,
  runStartedAt: number,
  signal: AbortSignal,
): Promise<CountedNode[]> {
  const pods = new Map<string, PodState>();
  for (const object of await podsOf(kube, daemonSet, signal)) {
    const pod = podState(object, names.nodeContainer);
    const known = pod.node === null ? undefined : pods.get(pod.node);
    // During a rollout a node may show the old pod going and the new one coming: the newest counts.
    if (pod.node !== null && (!known || pod.createdAt >= known.createdAt)) pods.set(pod.node, pod);
  }
  const template = (valueAt(daemonSet, ['spec', 'template', 'spec']) ?? {}) as LandingPod;
  const nodes: CountedNode[] = [];
  for await (const page of kube.list(resources.nodes, { signal })) {
    for (const object of page.items) {
      const parsed = nodeParts.safeParse(object);
      if (!parsed.success) continue;
      const { metadata, spec, status } = parsed.data;
      const pod = pods.get(metadata.name) ?? null;
      const landing: LandingNode = {
        name: metadata.name,
        labels: metadata.labels,
        taints: spec.taints.map(({ key, value, effect }) =>
          value === undefined ? { key, effect } : { key, value, effect },
        ),
      };
      const created = Date.parse(metadata.creationTimestamp ?? '');
      const because = isVirtual(metadata.labels, spec.providerID)
        ? 'it is virtual and runs no agent'
        : pod === null
          ? cannotLand(landing, template)
          : created > runStartedAt && nowMs - created < youngMs
            ? 'it joined less than 10 minutes ago'
            : null;
      nodes.push({
        name: metadata.name,
        kernel: status.nodeInfo?.kernelVersion ?? '',
        pod,
        counts: because === null ? null : { because },
      });
    }
  }
  return nodes;
}

/** Whether a node is one of a cloud's that has no machine and runs no agent. */
export function isVirtual(labels: Record<string, string>, providerID: string | undefined): boolean {
  return (
    labels.type === 'virtual-kubelet' ||
    labels['eks.amazonaws.com/compute-type'] === 'fargate' ||
    (providerID ?? '').startsWith('virtual://')
  );
}
