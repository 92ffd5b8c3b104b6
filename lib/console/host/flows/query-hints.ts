import { mostListed, parseQuery, type QueryHints, queryText } from '#lib/flows/in-browser.ts';
import type { FlowHistory, KnownNames } from '#lib/flows/index.ts';
import type { Kube } from '#lib/kube/index.ts';
import { type KeptHints, keptHints } from './kept-hints.ts';
import type { SeenBy } from './seen-flows.ts';

const patienceMs = 10_000;
/** One hour, which an aggregator also has. */
const defaultAgo = 3600;

/** Of an aggregator: an answer is six requests through a port-forward. */
const namesKeptMs = 60_000;
/** Of a history: an answer is a list of up to 10,000 flows; new ones arrive every 15 s. */
const countsKeptMs = 15_000;

/** Failures that the log has: one that is kept (kept-hints.ts) fails every query of its time. */
const logged = new WeakSet<object>();

/** What aggregators name, and what histories have counted in a time of the query language. */
export type HintSources = {
  readonly names: KeptHints<Kube, KnownNames>;
  readonly counts: KeptHints<Pick<FlowHistory, 'list'>, QueryHints>;
};

/** One for a console: it keeps what was answered from one query to the next, for all pages. */
export const hintSources = (): HintSources => ({
  names: keptHints(async (kube, _question, signal) => {
    const { knownNames } = await import('#lib/flows/index.ts');
    return knownNames(kube, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]));
  }, namesKeptMs),
  counts: keptHints(async (history, time) => {
    const { hintsOf } = await import('#lib/flows/index.ts');
    return hintsOf((await history.list(parseQuery(time).query, mostListed)).flows);
  }, countsKeptMs),
});

/**
 * Words that complete a query: those that the history counted in the query's time, and those that the aggregator names for the last hour. If one of
 * the two cannot be asked, its words are left out silently: the user is typing and needs no reason. Once `signal` is aborted, nothing more is asked.
 */
export async function queryHints(
  { kube, cluster, histories, log, sources }: SeenBy & { readonly sources: HintSources },
  key: string,
  signal: AbortSignal,
): Promise<QueryHints> {
  const { mergedHints, namedHints } = await import('#lib/flows/index.ts');
  const { since, until } = parseQuery(key).query;
  const time = queryText({ terms: [], since: since ?? (until === null ? { ago: defaultAgo } : null), until });
  const historyCounts = async () => {
    const history = await histories.existing(cluster);
    return history === null || signal.aborted ? {} : sources.counts(history, time, signal);
  };
  const namedByAggregator = async () => namedHints(await sources.names(kube, '', signal));
  const or = (what: string, hints: Promise<QueryHints>) =>
    hints.catch((error: unknown): QueryHints => {
      const isObject = typeof error === 'object' && error !== null;
      if (!signal.aborted && !(isObject && logged.has(error))) log(`${what} completes no query`, error);
      if (!signal.aborted && isObject) logged.add(error);
      return {};
    });
  const [counted, named] = await Promise.all([
    or('the history of flows', historyCounts()),
    or('the aggregator', namedByAggregator()),
  ]);
  return mergedHints(counted, named);
}
