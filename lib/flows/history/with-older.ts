import { type Flow, historySeconds } from '../flow.ts';
import type { Query } from '../query/query.ts';
import type { Window } from '../query/window.ts';
import type { ListedFlows } from './history-engine.ts';

/**
 * Flows of a time of which the aggregator has only the end: `fromAggregator` returns what the aggregator has, at most an hour, and `fromHistory` the older flows, or
 * null if there is no history. Each gets times in its own clock. `window`: the query's time in seconds.
 */
export async function withOlder(
  query: Query,
  { since, until }: Window,
  now: number,
  fromAggregator: (query: Query) => Promise<readonly Flow[]>,
  fromHistory: (query: Query) => Promise<ListedFlows | null>,
): Promise<ListedFlows> {
  const flows = await fromAggregator(
    since < now - historySeconds ? { ...query, since: { ago: historySeconds } } : query,
  );
  const oldest = flows.reduce((first, { start }) => Math.min(first, start), until);
  if (oldest <= since) return { flows, isCut: false };
  const older = await fromHistory({ ...query, since: { at: since }, until: { at: Math.floor(oldest) } });
  return { flows: [...flows, ...(older?.flows ?? [])], isCut: older?.isCut ?? false };
}
