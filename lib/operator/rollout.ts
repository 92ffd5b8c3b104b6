import { type KubeObject, workloadOf } from '#lib/kube/index.ts';

export function daemonSetStatusOf(object: KubeObject) {
  const { status } = workloadOf(object);
  return {
    observedGeneration: status.observedGeneration ?? 0,
    desiredNumberScheduled: status.desiredNumberScheduled ?? 0,
    updatedNumberScheduled: status.updatedNumberScheduled ?? 0,
    numberAvailable: status.numberAvailable ?? 0,
    numberUnavailable: status.numberUnavailable ?? 0,
  };
}

export function deploymentStatusOf(object: KubeObject) {
  const { status } = workloadOf(object);
  return {
    observedGeneration: status.observedGeneration ?? 0,
    replicas: status.replicas ?? 0,
    updatedReplicas: status.updatedReplicas ?? 0,
    availableReplicas: status.availableReplicas ?? 0,
    unavailableReplicas: status.unavailableReplicas ?? 0,
  };
}

/** Whether every node has an available pod of the present generation. A DaemonSet without nodes has nothing to wait for. */
export function rolledOut(daemonSet: KubeObject): boolean {
  const status = daemonSetStatusOf(daemonSet);
  return (
    status.observedGeneration >= (daemonSet.metadata.generation ?? 1) &&
    status.updatedNumberScheduled >= status.desiredNumberScheduled &&
    status.numberAvailable >= status.desiredNumberScheduled
  );
}

/** Whether the newest template runs with all replicas, and no older pod beside it. */
export function deploymentRolledOut(deployment: KubeObject): boolean {
  const status = deploymentStatusOf(deployment);
  const wanted = workloadOf(deployment).spec.replicas ?? 1;
  return (
    status.observedGeneration >= (deployment.metadata.generation ?? 1) &&
    status.updatedReplicas >= wanted &&
    status.availableReplicas >= wanted &&
    status.replicas <= status.updatedReplicas
  );
}
