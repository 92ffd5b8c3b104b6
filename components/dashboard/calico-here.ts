import type { ClusterStatus } from '#lib/status/index.ts';

export type CalicoHere = 'agents' | 'begun' | 'nothing';

/**
 * What of Calico is on a cluster, as far as the view tells. `begun`: an Installation and no agents: somebody has not finished, or the operator has
 * only started. What could not be read is taken for *agents*: nobody installs where something may run.
 */
export function calicoHere({
  installation,
  agents,
  unknown,
}: Pick<ClusterStatus, 'installation' | 'agents' | 'unknown'>): CalicoHere {
  if (agents !== null || unknown.length > 0) return 'agents';
  return installation === null ? 'nothing' : 'begun';
}
