import type { KubeObject, Workload } from '#lib/kube/index.ts';
import { evidence } from '../reading/evidence.ts';
import type { Evidence } from '../schema.ts';

/**
 * Evidence that pods of kube-proxy may still run by an earlier template, from the DaemonSet's status, as one pod for each node is too many to read; null:
 * all pods have this template. The API server omits a count of 0. A dump without a status shows no pods.
 */
export function proxyRollout(object: KubeObject, { status }: Workload): Evidence | null {
  const { desiredNumberScheduled: desired, updatedNumberScheduled: updated, observedGeneration: observed } = status;
  if (desired === null || observed === null) return null;
  if (observed < (object.metadata.generation ?? 0)) return evidence(object, 'status.observedGeneration', observed);
  return (updated ?? 0) < desired ? evidence(object, 'status.updatedNumberScheduled', updated ?? 0) : null;
}
