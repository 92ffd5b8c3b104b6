import type { FlowEnd } from '../flow.ts';
import type { HintAbout } from '../flow-filter.ts';
import { byCount, type QueryHints, wordOf } from './complete-query.ts';
import { networkNames, ownerName } from './end-names.ts';
import type { QueryKey, Term } from './query.ts';

/** The names that an aggregator knows, by kind. What belongs together is not known: names come without their namespaces. */
export type KnownNames = Readonly<Record<HintAbout, readonly string[]>>;

/** Kubernetes and Calico have no longer names. */
const longestName = 253;
/** The most words per key. */
const mostWords = 1_000;

type EndKey = 'from' | 'to' | 'with';

/** A network has no namespace; any other name may be in any namespace. */
const ofName = (keys: readonly EndKey[]) => (name: string) =>
  keys.map(
    (key): Term => ({
      not: false,
      key,
      namespace: Object.hasOwn(networkNames, name) ? '-' : null,
      name: ownerName(unplaced(name)),
    }),
  );
const unplaced = (name: string): FlowEnd => ({ kind: 'workload', namespace: null, name, labels: [] });
const ofNamespace = (keys: readonly EndKey[]) => (namespace: string) =>
  namespace === '-' ? [] : keys.map((key): Term => ({ not: false, key, namespace, name: null }));

const termsOf: Readonly<Record<HintAbout, (name: string) => readonly Term[]>> = {
  sourceName: ofName(['from', 'with']),
  destName: ofName(['to', 'with']),
  sourceNamespace: ofNamespace(['from', 'with']),
  destNamespace: ofNamespace(['to', 'with']),
  policyTier: (tier) => [{ not: false, key: 'policy', tier, name: '*' }],
  policyName: (name) => [{ not: false, key: 'policy', tier: null, name }],
};

/** Words of queries for the names that an aggregator lists. It gives no counts. */
export function namedHints(names: KnownNames): QueryHints {
  const words = new Map<QueryKey, Set<string>>();
  for (const about of Object.keys(termsOf) as HintAbout[])
    for (const name of names[about])
      for (const term of name === '' || name.length > longestName ? [] : termsOf[about](name))
        words.set(term.key, (words.get(term.key) ?? new Set()).add(wordOf(term)));
  return Object.fromEntries([...words].map(([key, of]) => [key, [...of].map((word) => ({ word, flows: 0 }))]));
}

/**
 * Merges hints, each word once. Both may count the same flows, one of them fewer, so the larger count is taken. A name without count is dropped if it
 * is also known with its namespace or tier.
 */
export function mergedHints(one: QueryHints, other: QueryHints): QueryHints {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)] as QueryKey[]);
  return Object.fromEntries(
    [...keys].map((key) => {
      const counts = new Map<string, number>();
      for (const { word, flows } of [...(one[key] ?? []), ...(other[key] ?? [])])
        counts.set(word, Math.max(flows, counts.get(word) ?? 0));
      const slashed = [...counts.keys()].filter((word) => word.includes('/'));
      for (const word of slashed) {
        const alone = `${key}:${word.slice(word.lastIndexOf('/') + 1)}`;
        if (counts.get(alone) === 0) counts.delete(alone);
      }
      return [key, byCount(counts).slice(0, mostWords)];
    }),
  );
}
