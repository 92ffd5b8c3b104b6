import { z } from 'zod';
import type { KubeObject } from '../object.ts';

/** `attempts`: how often it was tried, where that is counted. */
export type PodFault = { code: 'pod.crashes' | 'pod.image'; container: string; attempts: number | null };

/** Reasons of waiting that repetition does not fix. A missing ConfigMap, a volume or a pull that is under way may fix themselves. */
const faultReasons: Readonly<Record<string, PodFault['code']>> = {
  CrashLoopBackOff: 'pod.crashes',
  ImagePullBackOff: 'pod.image',
  ErrImagePull: 'pod.image',
  InvalidImageName: 'pod.image',
};

export type PodState = {
  name: string;
  namespace: string;
  node: string | null;
  ready: boolean;
  words: string;
  /** Why its containers do not come up, where trying again is all that happens; null while it may still come up by itself. */
  fault: PodFault | null;
  createdAt: number;
  startedAt: number | null;
  object: KubeObject;
};

const podParts = z.object({
  spec: z.object({ nodeName: z.string().optional() }).default({}),
  status: z
    .object({
      phase: z.string().default('Pending'),
      message: z.string().optional(),
      conditions: z
        .array(z.object({ type: z.string(), status: z.string(), message: z.string().optional() }))
        .default([]),
      initContainerStatuses: z.array(z.unknown()).default([]),
      containerStatuses: z.array(z.unknown()).default([]),
    })
    .default({ phase: 'Pending', conditions: [], initContainerStatuses: [], containerStatuses: [] }),
});

const containerStatus = z.object({
  name: z.string(),
  ready: z.boolean().default(false),
  restartCount: z.number().default(0),
  state: z
    .object({
      waiting: z.object({ reason: z.string().optional(), message: z.string().optional() }).optional(),
      running: z.object({ startedAt: z.string().optional() }).optional(),
      terminated: z.object({ reason: z.string().optional(), exitCode: z.number().optional() }).optional(),
    })
    .default({}),
});

/** What matters of a pod while it is waited for; `container` names the one whose start counts. */
export function podState(object: KubeObject, container: string | null = null): PodState {
  const parsed = podParts.safeParse(object);
  const { spec, status } = parsed.success ? parsed.data : podParts.parse({});
  const statuses = status.containerStatuses.flatMap((raw) => containerStatus.safeParse(raw).data ?? []);
  const init = status.initContainerStatuses.flatMap((raw) => containerStatus.safeParse(raw).data ?? []);
  const ready = status.conditions.some((condition) => condition.type === 'Ready' && condition.status === 'True');
  const started = statuses.find((one) => container === null || one.name === container)?.state.running?.startedAt;
  const stuck = [...init, ...statuses].find(
    (one) => one.state.waiting?.reason && !/^(PodInitializing|ContainerCreating)$/.test(one.state.waiting.reason),
  );
  const failed = [...init, ...statuses].find((one) => one.state.terminated && one.state.terminated.exitCode !== 0);
  const unscheduled = status.conditions.find(
    (condition) => condition.type === 'PodScheduled' && condition.status === 'False',
  );
  const words = object.metadata.deletionTimestamp
    ? 'is being replaced'
    : ready
      ? 'is ready'
      : stuck
        ? `container ${stuck.name}: ${stuck.state.waiting?.reason}${stuck.state.waiting?.message ? `, ${stuck.state.waiting.message}` : ''}`
        : failed
          ? `container ${failed.name} ended with exit code ${failed.state.terminated?.exitCode}`
          : unscheduled
            ? `cannot be scheduled: ${unscheduled.message ?? 'no reason given'}`
            : status.phase === 'Running'
              ? 'runs and is not ready'
              : `is ${status.phase}`;
  return {
    name: object.metadata.name ?? '',
    namespace: object.metadata.namespace ?? '',
    node: spec.nodeName ?? null,
    ready: ready && !object.metadata.deletionTimestamp,
    words,
    fault: object.metadata.deletionTimestamp ? null : faultOf([...init, ...statuses]),
    createdAt: Date.parse(object.metadata.creationTimestamp ?? '') || 0,
    startedAt: started ? Date.parse(started) || null : null,
    object,
  };
}

function faultOf(statuses: readonly z.infer<typeof containerStatus>[]): PodFault | null {
  for (const { name, restartCount, state } of statuses) {
    const code = faultReasons[state.waiting?.reason ?? ''];
    if (code) return { code, container: name, attempts: code === 'pod.crashes' ? restartCount : null };
  }
  return null;
}
