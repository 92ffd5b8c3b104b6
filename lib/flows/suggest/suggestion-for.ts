import type { Kube } from '#lib/kube/index.ts';
import type { ListedFlows } from '../history/history-engine.ts';
import type { Query } from '../query/query.ts';
import { type Stage, type SuggestedPolicy, suggestPolicy, type WorkloadName } from './suggest-policy.ts';

/** Parses a workload's name as flows show it, `shop/checkout`; null if it is none. */
export function readWorkload(word: string): WorkloadName | null {
  const [, namespace, name] = /^([a-z0-9-]+)\/([a-zA-Z0-9.*-]+)$/.exec(word) ?? [];
  return namespace === undefined || name === undefined ? null : { namespace, name };
}

/**
 * Suggests a policy from the flows of a time in both directions; returns a sentence if there is none. The policy is staged if the cluster serves
 * staged policies. `flowsOf` returns the flows of a query.
 */
export async function suggestionFor(
  kube: Kube,
  target: WorkloadName,
  time: Pick<Query, 'since' | 'until'>,
  flowsOf: (query: Query) => Promise<ListedFlows>,
  signal: AbortSignal,
): Promise<SuggestedPolicy | string> {
  const { namespace, name } = target;
  const query: Query = {
    terms: [{ not: false, key: 'with', namespace, name }],
    since: time.since,
    until: time.until,
  };
  const [found, stage] = await Promise.all([flowsOf(query), stageOf(kube, signal)]);
  const suggested = suggestPolicy(found.flows, target, stage);
  if (!found.isCut) return suggested;
  const missing = 'There are more flows in that time than are read at once: the oldest are left out.';
  if (typeof suggested === 'string') return `${suggested} ${missing}`;
  return { ...suggested, remarks: [missing, ...suggested.remarks] };
}

async function stageOf(kube: Kube, signal: AbortSignal): Promise<Stage> {
  const { resources } = await kube.discover({ signal });
  return resources.some(({ plural }) => plural === 'stagednetworkpolicies') ? 'staged' : 'enforced';
}
