import { type Plan, parsePlan, planHash } from '#lib/plan/index.ts';
import type { Slug } from '../../host.ts';
import { namedCluster } from '../clusters/named-cluster.ts';
import { Refused } from '../refused.ts';

/**
 * Parses what the command line hands over (instance-protocol.ts). Throws Refused and PlanError.
 *
 * What is trusted and why: the socket lies in the state folder, which only its owner can enter, and the owner could write to the cluster without us.
 * The command line has just made this plan from the cluster and shown it, so its verdict and its texts are taken as they are. Its acts are not:
 * `startRun` carries out only acts that the operations of this version may have, under the hash that was shown, on the cluster of that UID, and each
 * step checks its guards again before it writes.
 */
export function handedOver(given: unknown, where: unknown): { plan: Plan; cluster: Slug } {
  const cluster = namedCluster(where);
  if (cluster === null) throw new Refused('plan.invalid', 'This plan does not name its cluster.');
  const plan = parsePlan(given);
  if (planHash(plan) !== plan.hash)
    throw new Refused('plan.tampered', 'This plan was changed after it was made: its hash no longer fits.');
  // Sandboxes share their UIDs, so their names are compared. `startRun` compares the UIDs of other clusters.
  if (cluster.kind === 'sandbox' && plan.cluster !== cluster.name)
    throw new Refused('plan.other-cluster', `This plan was made for ${plan.cluster}. Rebuild the plan here.`);
  return { plan, cluster: cluster.slug };
}
