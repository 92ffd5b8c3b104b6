import type { FlowEnd } from '../flow.ts';
import type { HintAbout } from '../flow-filter.ts';
import { byCount, type QueryHints, wordOf } from './complete-query.ts';
import { networkNames, ownerName } from './end-names.ts';
import type { QueryKey, Term } from './query.ts';

/** What an aggregator knows of each kind, without what belongs together: names stand apart from their namespaces. */
export type NamesTold = Readonly<Record<HintAbout, readonly string[]>>;

/** No name of Kubernetes or Calico is longer. */
const longestName = 253;
/** Words of a key. */
const mostWords = 1_000;

type EndKey = 'from' | 'to' | 'with';

/** A network has no namespace; every other name may be in any. */
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

/** Words of a query for the names that an aggregator tells, which counts nothing. */
export function namedHints(told: NamesTold): QueryHints {
  const words = new Map<QueryKey, Set<string>>();
  for (const about of Object.keys(termsOf) as HintAbout[])
    for (const name of told[about])
      for (const term of name === '' || name.length > longestName ? [] : termsOf[about](name))
        words.set(term.key, (words.get(term.key) ?? new Set()).add(wordOf(term)));
  return Object.fromEntries([...words].map(([key, of]) => [key, [...of].map((word) => ({ word, flows: 0 }))]));
}

/**
 * Each word once: of the same flows one may know more than the other, so that its count is the larger. A name that is only told is left out where the same
 * is known with its namespace or tier.
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
