import type { ClusterStatus } from '#lib/status/index.ts';

export type CalicoHere = 'agents' | 'begun' | 'nothing';

/**
 * What of Calico is on a cluster, by the view. `begun`: an Installation without agents, because an installation is unfinished or the operator has just started. If
 * it could not be read, *agents* is assumed, so that no installation is offered where Calico may run.
 */
export function calicoHere({
  installation,
  agents,
  unknown,
}: Pick<ClusterStatus, 'installation' | 'agents' | 'unknown'>): CalicoHere {
  if (agents !== null || unknown.length > 0) return 'agents';
  return installation === null ? 'nothing' : 'begun';
}
