import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { KubeObject, OwnerReference } from '#lib/kube/index.ts';
import { notReadyTaint } from './node-readiness.ts';
import { type Container, type NodeShape, nodeAddress, type PodShape, runsOn } from './shapes.ts';
import { shortName } from './template-hash.ts';

const rawTemplate = z.looseObject({
  metadata: z.looseObject({
    labels: z.record(z.string(), z.string()).optional(),
    annotations: z.record(z.string(), z.string()).optional(),
  }),
  spec: z.looseObject({}),
});
const workload = z.looseObject({ spec: z.looseObject({ template: rawTemplate }) });

/** A pod as its controller creates it: from the template as it is, with the controller's labels and one controlling owner. */
export function podFromTemplate(
  owner: KubeObject,
  name: string,
  labels: Record<string, string>,
  spec: Record<string, unknown> = {},
): KubeObject {
  const { template } = workload.parse(owner).spec;
  const { annotations } = template.metadata;
  const reference: OwnerReference = {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name ?? '',
    uid: owner.metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: `${owner.metadata.name}-`,
      name,
      namespace: owner.metadata.namespace ?? '',
      labels: { ...template.metadata.labels, ...labels },
      ...(annotations && Object.keys(annotations).length > 0 ? { annotations } : {}),
      ownerReferences: [reference],
    },
    spec: { ...template.spec, ...spec },
  };
}

/** The affinity by which the DaemonSet controller says which node a pod is for. */
export function pinnedTo(node: string): Record<string, unknown> {
  return {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }],
      },
    },
  };
}

/** A name that no pod has yet. The same history of a sandbox gives the same names. */
export function podName(owner: KubeObject, taken: (name: string) => boolean, ...seed: string[]): string {
  const { name: ownerName = '', namespace = '' } = owner.metadata;
  for (let attempt = 0; ; attempt++) {
    const name = `${ownerName}-${shortName(5, namespace, ownerName, ...seed, String(attempt))}`;
    if (!taken(name)) return name;
  }
}

type PodCondition = {
  type: string;
  status: string;
  lastProbeTime: null;
  lastTransitionTime: string;
  reason?: string;
  message?: string;
};

const conditionOrder = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];

function conditionsOf(
  pod: PodShape,
  wanted: Record<string, boolean>,
  now: string,
  why?: { reason: string; message: string },
): PodCondition[] {
  return conditionOrder
    .filter((type) => type in wanted)
    .map((type) => {
      const status = wanted[type] ? 'True' : 'False';
      const before = pod.status.conditions.find((each) => each.type === type);
      const since = before?.status === status ? (before.lastTransitionTime ?? now) : now;
      return {
        type,
        status,
        lastProbeTime: null,
        lastTransitionTime: since,
        ...(status === 'False' && why ? why : {}),
      };
    });
}

/** The scheduler's status of a pod that no node takes because nodes wait for a network. Null: no node waits for one. */
export function unschedulableStatus(pod: PodShape, nodes: readonly NodeShape[], now: string) {
  const waiting = nodes.filter((node) => runsOn(node) === 'host network').length;
  if (waiting === 0) return null;
  const message = `0/${nodes.length} nodes are available: ${waiting} node(s) had untolerated taint {${notReadyTaint}: }.`;
  const conditions = conditionsOf(pod, { PodScheduled: false }, now, { reason: 'Unschedulable', message });
  return { phase: 'Pending', qosClass: 'BestEffort', conditions };
}

/** Status of a pod that is bound and runs nothing yet, while images are pulled. */
export function startingStatus(pod: PodShape, node: NodeShape, now: string): Record<string, unknown> {
  const { initContainers, containers } = pod.spec;
  const why = { reason: 'ContainersNotReady', message: unreadyMessage(containers) };
  const waiting = initContainers.length > 0 ? 'PodInitializing' : 'ContainerCreating';
  return {
    phase: 'Pending',
    hostIP: nodeAddress(node),
    hostIPs: [{ ip: nodeAddress(node) }],
    startTime: now,
    qosClass: 'BestEffort',
    conditions: conditionsOf(
      pod,
      {
        PodReadyToStartContainers: false,
        Initialized: initContainers.length === 0,
        Ready: false,
        ContainersReady: false,
        PodScheduled: true,
      },
      now,
      why,
    ),
    ...(initContainers.length > 0
      ? { initContainerStatuses: initContainers.map((each) => waitingContainer(each, 'PodInitializing')) }
      : {}),
    containerStatuses: containers.map((each) => waitingContainer(each, waiting)),
  };
}

/** Status of a pod whose containers all run. `ready`: whether their probes have passed. */
export function runningStatus(pod: PodShape, podIP: string, ready: boolean, now: string): Record<string, unknown> {
  const { initContainers, containers } = pod.spec;
  const startedAt = (name: string): string =>
    pod.status.containerStatuses.find((each) => each.name === name)?.state.running?.startedAt ?? now;
  return {
    phase: 'Running',
    podIP,
    podIPs: [{ ip: podIP }],
    conditions: conditionsOf(
      pod,
      { PodReadyToStartContainers: true, Initialized: true, Ready: ready, ContainersReady: ready, PodScheduled: true },
      now,
      { reason: 'ContainersNotReady', message: unreadyMessage(containers) },
    ),
    ...(initContainers.length > 0
      ? { initContainerStatuses: initContainers.map((each) => finishedContainer(pod, each, now)) }
      : {}),
    containerStatuses: containers.map((each) => ({
      ...identityOf(pod, each, restartsOf(pod, each)),
      name: each.name,
      ready,
      started: true,
      restartCount: restartsOf(pod, each),
      state: { running: { startedAt: startedAt(each.name) } },
      lastState: {},
    })),
  };
}

/** Time for which the kubelet waits before it restarts a container, in milliseconds: 10 s, doubled with each restart, at most 5 minutes. */
export function backOffMs(restarts: number): number {
  return Math.min(300_000, 10_000 * 2 ** (restarts - 1));
}

/**
 * Status of a pod with a container that cannot reach the API server: the container ends with an error, and is restarted again and again. In
 * calico-node this is install-cni, which asks for a token before any other container starts.
 */
export function crashingStatus(
  pod: PodShape,
  container: string,
  podIP: string,
  now: string,
  restarts: number,
): Record<string, unknown> {
  const { initContainers, containers } = pod.spec;
  const inInit = initContainers.findIndex((each) => each.name === container);
  const crash = (each: Container) => ({
    ...identityOf(pod, each, restarts),
    name: each.name,
    ready: false,
    started: false,
    restartCount: restarts,
    state: {
      waiting: {
        reason: 'CrashLoopBackOff',
        message: `back-off ${backOffMs(restarts) / 1000}s restarting failed container=${each.name} pod=${pod.metadata.name}_${pod.metadata.namespace}(${pod.metadata.uid})`,
      },
    },
    lastState: {
      terminated: {
        exitCode: 1,
        reason: 'Error',
        startedAt: now,
        finishedAt: now,
        containerID: identityOf(pod, each, restarts).containerID,
      },
    },
  });
  return {
    phase: inInit >= 0 ? 'Pending' : 'Running',
    podIP,
    podIPs: [{ ip: podIP }],
    conditions: conditionsOf(
      pod,
      {
        PodReadyToStartContainers: true,
        Initialized: inInit < 0,
        Ready: false,
        ContainersReady: false,
        PodScheduled: true,
      },
      now,
      { reason: 'ContainersNotReady', message: unreadyMessage(containers) },
    ),
    ...(initContainers.length > 0
      ? {
          initContainerStatuses: initContainers.map((each, index) => {
            if (inInit < 0 || index < inInit) return finishedContainer(pod, each, now);
            return index === inInit ? crash(each) : waitingContainer(each, 'PodInitializing');
          }),
        }
      : {}),
    containerStatuses: containers.map((each) => {
      if (inInit >= 0) return waitingContainer(each, 'PodInitializing');
      if (each.name === container) return crash(each);
      return {
        ...identityOf(pod, each, 0),
        name: each.name,
        ready: true,
        started: true,
        restartCount: 0,
        state: { running: { startedAt: now } },
        lastState: {},
      };
    }),
  };
}

/** Restarts so far. A container that crashed and now runs has been restarted. */
function restartsOf(pod: PodShape, { name }: Container): number {
  const statuses = [...pod.status.initContainerStatuses, ...pod.status.containerStatuses];
  return statuses.find((each) => each.name === name)?.restartCount ?? 0;
}

function identityOf(pod: PodShape, { name, image }: Container, restart: number) {
  return {
    image,
    imageID: `${image.replace(/:[^:/]*$/, '')}@sha256:${digest(image)}`,
    containerID: `containerd://${digest(pod.metadata.name, name, String(restart))}`,
  };
}

function waitingContainer({ name, image }: Container, reason: string) {
  return {
    image,
    imageID: '',
    name,
    ready: false,
    started: false,
    restartCount: 0,
    state: { waiting: { reason } },
    lastState: {},
  };
}

function finishedContainer(pod: PodShape, container: Container, now: string) {
  const restartCount = restartsOf(pod, container);
  const identity = identityOf(pod, container, restartCount);
  return {
    ...identity,
    name: container.name,
    ready: true,
    started: false,
    restartCount,
    state: {
      terminated: {
        exitCode: 0,
        reason: 'Completed',
        startedAt: now,
        finishedAt: now,
        containerID: identity.containerID,
      },
    },
    lastState: {},
  };
}

function unreadyMessage(containers: readonly Container[]): string {
  return `containers with unready status: [${containers.map(({ name }) => name).join(' ')}]`;
}

function digest(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex');
}
