import { mostListed, parseQuery, type QueryHints } from '#lib/flows/in-browser.ts';
import type { SeenBy } from './seen-flows.ts';

const patienceMs = 10_000;
/** One hour, which an aggregator also has. */
const defaultAgo = 3600;

/**
 * Words that complete a query: those that the history counted in the query's time, and those that the aggregator names for the last hour. If one of
 * the two cannot be asked, its words are left out silently: the user is typing and needs no reason.
 */
export async function queryHints({ kube, cluster, histories, log }: SeenBy, asked: string): Promise<QueryHints> {
  const { hintsOf, mergedHints, namedHints, toldNames } = await import('#lib/flows/index.ts');
  const { since, until } = parseQuery(asked).query;
  const time = { terms: [], since: since ?? (until === null ? { ago: defaultAgo } : null), until };
  const kept = async () => {
    const history = await histories.kept(cluster);
    return history === null ? {} : hintsOf((await history.list(time, mostListed)).flows);
  };
  const told = async () => namedHints(await toldNames(kube, AbortSignal.timeout(patienceMs)));
  const or = (what: string, hints: Promise<QueryHints>) =>
    hints.catch((error: unknown): QueryHints => {
      log(`${what} completes no query`, error);
      return {};
    });
  const [counted, named] = await Promise.all([or('the history of flows', kept()), or('the aggregator', told())]);
  return mergedHints(counted, named);
}
