import { z } from 'zod';
import type { KubeObject } from '#lib/kube/index.ts';

const daemonSetStatus = z.object({
  observedGeneration: z.number().default(0),
  desiredNumberScheduled: z.number().default(0),
  updatedNumberScheduled: z.number().default(0),
  numberAvailable: z.number().default(0),
  numberUnavailable: z.number().default(0),
});

const deploymentStatus = z.object({
  observedGeneration: z.number().default(0),
  replicas: z.number().default(0),
  updatedReplicas: z.number().default(0),
  availableReplicas: z.number().default(0),
  unavailableReplicas: z.number().default(0),
});

export const daemonSetStatusOf = (object: KubeObject) => daemonSetStatus.parse(object.status ?? {});
export const deploymentStatusOf = (object: KubeObject) => deploymentStatus.parse(object.status ?? {});

/** Every node that counts has a ready pod of the generation that is wanted now. A DaemonSet without nodes has nothing to wait for. */
export function rolledOut(daemonSet: KubeObject): boolean {
  const status = daemonSetStatusOf(daemonSet);
  return (
    status.observedGeneration >= (daemonSet.metadata.generation ?? 1) &&
    status.updatedNumberScheduled >= status.desiredNumberScheduled &&
    status.numberAvailable >= status.desiredNumberScheduled
  );
}

/** Pods on all nodes it wants, and it wants some: a kube-proxy that serves again. */
export function serves(daemonSet: KubeObject): boolean {
  return rolledOut(daemonSet) && daemonSetStatusOf(daemonSet).desiredNumberScheduled > 0;
}

/** A Deployment whose newest template runs with all replicas, and nothing older beside it. */
export function deploymentRolledOut(deployment: KubeObject): boolean {
  const status = deploymentStatusOf(deployment);
  const spec = z.object({ replicas: z.number().default(1) }).parse(deployment.spec ?? {});
  return (
    status.observedGeneration >= (deployment.metadata.generation ?? 1) &&
    status.updatedReplicas >= spec.replicas &&
    status.availableReplicas >= spec.replicas &&
    status.replicas <= status.updatedReplicas
  );
}
