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
