import type { V1Pod } from '@kubernetes/client-node';
import type { KubeObject } from '../object.ts';
import { conditions, isTrue } from './conditions.ts';
import { readerOf } from './json.ts';
import { fields, flagOrNull, ifThere, listOf, numberOrNull, type Parsed, text, textOrNull } from './lenient.ts';
import { metadata } from './metadata.ts';
import { podSpec } from './pod-spec.ts';

/** The metadata and spec of a Pod, without its status. */
export const podOf = readerOf<V1Pod>()(fields({ metadata, spec: podSpec }));

const containerStatus = fields({
  name: text,
  ready: flagOrNull,
  restartCount: numberOrNull,
  state: fields({
    waiting: ifThere(fields({ reason: textOrNull, message: textOrNull })),
    running: ifThere(fields({ startedAt: textOrNull })),
    terminated: ifThere(fields({ reason: textOrNull, exitCode: numberOrNull })),
  }),
});
type ContainerStatus = Parsed<typeof containerStatus>;

/** The status of a Pod, and its node. Separate from `podOf`, because thousands of pods are watched for their status only. */
export const podStatusOf = readerOf<V1Pod>()(
  fields({
    spec: fields({ nodeName: textOrNull }),
    status: fields({
      phase: textOrNull,
      conditions,
      initContainerStatuses: listOf(containerStatus),
      containerStatuses: listOf(containerStatus),
    }),
  }),
);

/** `attempts`: how often the container was restarted; null if that is not counted. */
export type PodFault = { code: 'pod.crashes' | 'pod.image'; container: string; attempts: number | null };

/** Reasons of waiting that do not pass by themselves. A missing ConfigMap or volume or a running pull may pass. */
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
  /** Why its containers cannot start, although the kubelet keeps trying; null while the pod may still start by itself. */
  fault: PodFault | null;
  createdAt: number;
  startedAt: number | null;
  object: KubeObject;
};

/** The state of a pod that is waited for. `startedAt` is the start of `container`, or of the first container if it is null. Times are ms since 1970. */
export function podState(object: KubeObject, container: string | null = null): PodState {
  const { spec, status } = podStatusOf(object);
  const { containerStatuses: statuses, initContainerStatuses: init } = status;
  const ready = isTrue(status.conditions, 'Ready');
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
              : `is ${status.phase ?? 'Pending'}`;
  return {
    name: object.metadata.name ?? '',
    namespace: object.metadata.namespace ?? '',
    node: spec.nodeName,
    ready: ready && !object.metadata.deletionTimestamp,
    words,
    fault: object.metadata.deletionTimestamp ? null : faultOf([...init, ...statuses]),
    createdAt: Date.parse(object.metadata.creationTimestamp ?? '') || 0,
    startedAt: started ? Date.parse(started) || null : null,
    object,
  };
}

/** Whether none of the pod's containers will run again: its phase is Succeeded or Failed (kubernetes.io › Pod Lifecycle). */
export function podHasEnded(object: KubeObject): boolean {
  const { phase } = podStatusOf(object).status;
  return phase === 'Succeeded' || phase === 'Failed';
}

function faultOf(statuses: readonly ContainerStatus[]): PodFault | null {
  for (const { name, restartCount, state } of statuses) {
    const code = faultReasons[state.waiting?.reason ?? ''];
    if (code) return { code, container: name, attempts: code === 'pod.crashes' ? (restartCount ?? 0) : null };
  }
  return null;
}
