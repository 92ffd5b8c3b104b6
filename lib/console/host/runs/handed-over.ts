import { type Plan, parsePlan, planHash } from '#lib/plan/index.ts';
import type { Slug } from '../../host.ts';
import { namedCluster } from '../clusters/named-cluster.ts';
import { Refused } from '../refused.ts';

/**
 * What the command line hands over (instance-protocol.ts), parsed. Throws Refused and PlanError.
 *
 * Trusted, and why: the socket lies in the state folder, which only its owner enters, and the owner could write to the cluster without us. The
 * command line has made this plan from the cluster a moment ago, and shown it; so its verdict and its texts are believed as
 * they are said. What is carried out is not: only acts that the operations of this version may do, under the hash that was shown, on the
 * cluster of that UID (`startRun`); and each step looks at its guards again before it writes.
 */
export function handedOver(given: unknown, where: unknown): { plan: Plan; cluster: Slug } {
  const cluster = namedCluster(where);
  if (cluster === null) throw new Refused('plan.invalid', 'This plan does not name its cluster.');
  const plan = parsePlan(given);
  if (planHash(plan) !== plan.hash)
    throw new Refused('plan.tampered', 'This plan was changed after it was made: its hash no longer fits.');
  // Samples have the same UIDs: of a sandbox, its name tells. Of other clusters `startRun` compares them.
  if (cluster.kind === 'sandbox' && plan.cluster !== cluster.name)
    throw new Refused('plan.other-cluster', `This plan was made for ${plan.cluster}. Rebuild the plan here.`);
  return { plan, cluster: cluster.slug };
}
