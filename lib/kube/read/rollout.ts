import { workloadOf } from './workload.ts';

/**
 * How far the rollout of a DaemonSet or Deployment has come, in pods as its controller reports them. `observed`: the controller has seen the present
 * template; until then `updated` is 0, because what it reports is about the template before.
 */
export type RolloutCounts = {
  readonly observed: boolean;
  readonly complete: boolean;
  readonly desired: number;
  readonly updated: number;
  readonly available: number;
};

/**
 * By the rules of `kubectl rollout status`, but that both kinds need as many available pods as desired ones. An object without a status (a manifest in a
 * dump) counts as not observed.
 */
export function rolloutCounts(object: {
  readonly kind: string;
  readonly metadata: { readonly generation?: number | undefined };
}): RolloutCounts {
  const { spec, status } = workloadOf(object);
  const isDaemonSet = object.kind === 'DaemonSet';
  const desired = isDaemonSet ? status.desiredNumberScheduled : (spec.replicas ?? 1);
  const observed = desired !== null && (status.observedGeneration ?? 0) >= (object.metadata.generation ?? 0);
  const updated = observed ? ((isDaemonSet ? status.updatedNumberScheduled : status.updatedReplicas) ?? 0) : 0;
  const available = (isDaemonSet ? status.numberAvailable : status.availableReplicas) ?? 0;
  const wanted = desired ?? 0;
  const noneTooMany = isDaemonSet || (status.replicas ?? 0) <= updated;
  const complete = observed && updated >= wanted && available >= wanted && noneTooMany;
  return { observed, complete, desired: wanted, updated, available };
}
