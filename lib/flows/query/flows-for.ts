import type { Flow } from '../flow.ts';
import { matchesQuery } from './matches-query.ts';
import type { Query } from './query.ts';
import { secondsOf } from './window.ts';

/** The flows that a query selects, newest first. Now is the end of the newest flow, by the aggregator's clock, because the reader's may differ. */
export function flowsFor(flows: readonly Flow[], query: Query): Flow[] {
  const now = flows.reduce((latest, { end }) => Math.max(latest, end), 0);
  const since = query.since === null ? 0 : secondsOf(query.since, now);
  const until = query.until === null ? Number.POSITIVE_INFINITY : secondsOf(query.until, now);
  return flows
    .filter((flow) => flow.end > since && flow.start < until && matchesQuery(flow, query))
    .toSorted((one, other) => other.end - one.end);
}
