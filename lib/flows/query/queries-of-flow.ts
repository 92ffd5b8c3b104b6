import type { Flow, FlowEnd, PolicyHit } from '../flow.ts';
import { ownerName } from './end-names.ts';
import type { Term } from './query.ts';
import { queryText } from './query-text.ts';

/** The query for flows between these two ends. An end without namespace is written `-/NAME`. */
export function pairQuery({ from, to }: Pick<Flow, 'from' | 'to'>): string {
  return placesQuery({ from: placeOf(from), to: placeOf(to) });
}

/** The query for flows between two places, each a named end or a whole namespace (`name` null). */
export function placesQuery({ from, to }: { from: NamedPlace; to: NamedPlace }): string {
  return textOf([endTerm('from', from), endTerm('to', to)]);
}

type NamedPlace = { readonly namespace: string | null; readonly name: string | null };

/** The query for all flows of a place, in both directions. */
export function placeQuery(place: NamedPlace): string {
  return textOf([endTerm('with', place)]);
}

/** The query for all flows of an end: from it, to it, or both. */
export function endQuery(end: FlowEnd, way: 'from' | 'to' | 'with' = 'with'): string {
  return textOf([endTerm(way, placeOf(end))]);
}

/** The query for all flows for which this policy was evaluated. */
export function policyQuery({ tier, namespace, name }: Pick<PolicyHit, 'tier' | 'namespace' | 'name'>): string {
  const named = namespace === null ? name : `${namespace}/${name}`;
  return textOf([{ not: false, key: 'policy', tier: tier === '' ? null : tier, name: named }]);
}

const endTerm = (key: 'from' | 'to' | 'with', { namespace, name }: NamedPlace): Term => ({
  not: false,
  key,
  namespace: namespace ?? '-',
  name,
});

const placeOf = (end: FlowEnd): NamedPlace => ({ namespace: end.namespace, name: ownerName(end) });

const textOf = (terms: readonly Term[]) => queryText({ terms, since: null, until: null });
