import type { Flow, FlowEnd, PolicyHit } from '../flow.ts';
import { ownerName } from './end-names.ts';
import type { Term } from './query.ts';
import { queryText } from './query-text.ts';

/** The query for flows between the same two ends: `-` is no namespace, and none of them. */
export function pairQuery({ from, to }: Pick<Flow, 'from' | 'to'>): string {
  return textOf([endTerm('from', from), endTerm('to', to)]);
}

/** The query for all flows of this end: from it, to it, or whichever way they go. */
export function endQuery(end: FlowEnd, way: 'from' | 'to' | 'with' = 'with'): string {
  return textOf([endTerm(way, end)]);
}

/** The query for all flows that this policy was asked about. */
export function policyQuery({ tier, namespace, name }: Pick<PolicyHit, 'tier' | 'namespace' | 'name'>): string {
  const named = namespace === null ? name : `${namespace}/${name}`;
  return textOf([{ not: false, key: 'policy', tier: tier === '' ? null : tier, name: named }]);
}

const endTerm = (key: 'from' | 'to' | 'with', of: FlowEnd): Term => ({
  not: false,
  key,
  namespace: of.namespace ?? '-',
  name: ownerName(of),
});

const textOf = (terms: readonly Term[]) => queryText({ terms, since: null, until: null });
