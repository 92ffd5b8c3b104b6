import { type KubeObject, rolloutCounts, workloadOf } from '#lib/kube/index.ts';
import { evidence } from '../reading/evidence.ts';
import type { Evidence } from '../schema.ts';

/**
 * Evidence that pods of kube-proxy may still run by an earlier template, from the DaemonSet's status, as one pod for each node is too many to read; null:
 * all pods have this template. The API server omits a count of 0. A dump without a status shows no pods.
 */
export function proxyRollout(object: KubeObject): Evidence | null {
  const { desiredNumberScheduled, observedGeneration } = workloadOf(object).status;
  if (desiredNumberScheduled === null || observedGeneration === null) return null;
  const { observed, updated, desired } = rolloutCounts(object);
  if (!observed) return evidence(object, 'status.observedGeneration', observedGeneration);
  return updated < desired ? evidence(object, 'status.updatedNumberScheduled', updated) : null;
}
