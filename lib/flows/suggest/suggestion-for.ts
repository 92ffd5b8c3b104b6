import type { Kube } from '#lib/kube/index.ts';
import type { Flow } from '../flow.ts';
import type { Query } from '../query/query.ts';
import { type Stage, type SuggestedPolicy, suggestPolicy, type WorkloadName } from './suggest-policy.ts';

/** A workload by the name under which flows show it, `shop/checkout`; null: it is none. */
export function readWorkload(word: string): WorkloadName | null {
  const [, namespace, name] = /^([a-z0-9-]+)\/([a-zA-Z0-9.*-]+)$/.exec(word) ?? [];
  return namespace === undefined || name === undefined ? null : { namespace, name };
}

/**
 * A policy from the flows of a time, whichever way they go; a string: why there is none. Staged where the cluster has staged policies. `flowsOf`: what is
 * known of a query.
 */
export async function suggestionFor(
  kube: Kube,
  target: WorkloadName,
  time: Pick<Query, 'since' | 'until'>,
  flowsOf: (query: Query) => Promise<readonly Flow[]>,
  signal: AbortSignal,
): Promise<SuggestedPolicy | string> {
  const { namespace, name } = target;
  const query: Query = {
    terms: [{ not: false, key: 'with', namespace, name }],
    since: time.since,
    until: time.until,
  };
  const [found, stage] = await Promise.all([flowsOf(query), stageOf(kube, signal)]);
  return suggestPolicy(found, target, stage);
}

async function stageOf(kube: Kube, signal: AbortSignal): Promise<Stage> {
  const { resources } = await kube.discover({ signal });
  return resources.some(({ plural }) => plural === 'stagednetworkpolicies') ? 'staged' : 'enforced';
}
