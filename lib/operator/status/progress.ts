import { type KubeObject, podStatusOf } from '#lib/kube/index.ts';
import { daemonSetStatusOf, deploymentStatusOf } from '../rollout.ts';

const id = (workload: KubeObject) => `${workload.kind} "${workload.metadata.namespace}/${workload.metadata.name}"`;

/** Why a workload has not rolled out, in the public operator's words (calico.md §4). Null: it has. */
export function progressOf(workload: KubeObject): string | null {
  return workload.kind === 'DaemonSet' ? daemonSet(workload) : deployment(workload);
}

function processed(workload: KubeObject, observed: number): string | null {
  const generation = workload.metadata.generation ?? 1;
  return observed < generation
    ? `${id(workload)} update is being processed (generation ${generation}, observed generation ${observed})`
    : null;
}

function daemonSet(workload: KubeObject): string | null {
  const status = daemonSetStatusOf(workload);
  if (status.updatedNumberScheduled < status.desiredNumberScheduled) {
    return `${id(workload)} update is rolling out (${status.updatedNumberScheduled} out of ${status.desiredNumberScheduled} updated)`;
  }
  if (status.numberUnavailable > 0)
    return `${id(workload)} is not available (awaiting ${status.numberUnavailable} nodes)`;
  if (status.numberAvailable === 0) return `${id(workload)} is not yet scheduled on any nodes`;
  return processed(workload, status.observedGeneration);
}

function deployment(workload: KubeObject): string | null {
  const status = deploymentStatusOf(workload);
  if (status.unavailableReplicas > 0)
    return `${id(workload)} is not available (awaiting ${status.unavailableReplicas} replicas)`;
  if (status.availableReplicas === 0) return `${id(workload)} is not yet scheduled on any nodes`;
  return processed(workload, status.observedGeneration);
}

/** Failures of pods that do not mend themselves, in the public operator's words (calico.md §4). */
export function failuresOf(pods: readonly KubeObject[]): string[] {
  return pods.flatMap((pod) => {
    const { status } = podStatusOf(pod);
    const name = `${pod.metadata.namespace}/${pod.metadata.name}`;
    if (status.phase === 'Failed') return [`Pod ${name} has failed`];
    for (const container of [...status.initContainerStatuses, ...status.containerStatuses]) {
      const waiting = container.state.waiting?.reason;
      if (waiting === 'CrashLoopBackOff') return [`Pod ${name} has crash looping container: ${container.name}`];
      if (waiting === 'ImagePullBackOff' || waiting === 'ErrImagePull')
        return [`Pod ${name} failed to pull container image for: ${container.name}`];
      const exit = container.state.terminated?.exitCode;
      if (exit !== undefined && exit !== null && exit !== 0)
        return [`Pod ${name} has terminated container: ${container.name}`];
    }
    return [];
  });
}
