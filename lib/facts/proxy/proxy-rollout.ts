import type { KubeObject, Workload } from '#lib/kube/index.ts';
import { evidence } from '../reading/evidence.ts';
import type { Evidence } from '../schema.ts';

/**
 * What shows that pods of kube-proxy may still run as an earlier template said: nobody reads them one by one, as there is one a node. `null`: all are of
 * this template. The API server leaves a count of 0 out; a manifest in a dump, whose status says nothing, has no pods to be told of.
 */
export function proxyRollout(object: KubeObject, { status }: Workload): Evidence | null {
  const { desiredNumberScheduled: desired, updatedNumberScheduled: updated, observedGeneration: observed } = status;
  if (desired === null || observed === null) return null;
  if (observed < (object.metadata.generation ?? 0)) return evidence(object, 'status.observedGeneration', observed);
  return (updated ?? 0) < desired ? evidence(object, 'status.updatedNumberScheduled', updated ?? 0) : null;
}
