import { type Flow, historySeconds } from '../flow.ts';
import type { Query } from '../query/query.ts';
import type { Window } from '../query/window.ts';
import type { ListedFlows } from './history-engine.ts';

/**
 * Flows of a time that ends where an aggregator still tells of it: it tells what it has, of an hour, and `kept` what is older than all that it told, null
 * where nothing is known. Each is asked with times that its own clock settles. `window`: what the query asks for, in seconds.
 */
export async function withOlder(
  query: Query,
  { since, until }: Window,
  now: number,
  told: (query: Query) => Promise<readonly Flow[]>,
  kept: (query: Query) => Promise<ListedFlows | null>,
): Promise<ListedFlows> {
  const flows = await told(since < now - historySeconds ? { ...query, since: { ago: historySeconds } } : query);
  const oldest = flows.reduce((first, { start }) => Math.min(first, start), until);
  if (oldest <= since) return { flows, isCut: false };
  const older = await kept({ ...query, since: { at: since }, until: { at: Math.floor(oldest) } });
  return { flows: [...flows, ...(older?.flows ?? [])], isCut: older?.isCut ?? false };
}
