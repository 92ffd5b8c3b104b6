import { mostListed, parseQuery, type QueryHints } from '#lib/flows/in-browser.ts';
import type { Kube } from '#lib/kube/index.ts';
import { type KeptNames, keptNames } from './kept-names.ts';
import type { SeenBy } from './seen-flows.ts';

const patienceMs = 10_000;
/** One hour, which an aggregator also has. */
const defaultAgo = 3600;

/** Failures that the log has: one that is kept (kept-names.ts) fails every query of its time. */
const logged = new WeakSet<object>();

/** One for a console: it keeps what aggregators answered from one query to the next. */
export const namesOfAggregators = (): KeptNames =>
  keptNames(async (kube: Kube, signal) => {
    const { knownNames } = await import('#lib/flows/index.ts');
    return knownNames(kube, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]));
  });

/**
 * Words that complete a query: those that the history counted in the query's time, and those that the aggregator names for the last hour. If one of
 * the two cannot be asked, its words are left out silently: the user is typing and needs no reason. Once `signal` is aborted, nothing more is asked.
 */
export async function queryHints(
  { kube, cluster, histories, log, names }: SeenBy & { readonly names: KeptNames },
  asked: string,
  signal: AbortSignal,
): Promise<QueryHints> {
  const { hintsOf, mergedHints, namedHints } = await import('#lib/flows/index.ts');
  const { since, until } = parseQuery(asked).query;
  const time = { terms: [], since: since ?? (until === null ? { ago: defaultAgo } : null), until };
  const kept = async () => {
    const history = await histories.kept(cluster);
    return history === null || signal.aborted ? {} : hintsOf((await history.list(time, mostListed)).flows);
  };
  const told = async () => namedHints(await names(kube, signal));
  const or = (what: string, hints: Promise<QueryHints>) =>
    hints.catch((error: unknown): QueryHints => {
      const isObject = typeof error === 'object' && error !== null;
      if (!signal.aborted && !(isObject && logged.has(error))) log(`${what} completes no query`, error);
      if (!signal.aborted && isObject) logged.add(error);
      return {};
    });
  const [counted, named] = await Promise.all([or('the history of flows', kept()), or('the aggregator', told())]);
  return mergedHints(counted, named);
}
