import type { Flow } from '../flow.ts';
import { matchesQuery } from './matches-query.ts';
import type { Moment, Query } from './query.ts';

/** The flows that a query asks for, newest first. Now is the end of the newest: the aggregator's clock, whatever the reader's says. */
export function flowsFor(flows: readonly Flow[], query: Query): Flow[] {
  const now = flows.reduce((latest, { end }) => Math.max(latest, end), 0);
  const at = (moment: Moment) => ('at' in moment ? moment.at : now - moment.ago);
  const since = query.since === null ? 0 : at(query.since);
  const until = query.until === null ? Number.POSITIVE_INFINITY : at(query.until);
  return flows
    .filter((flow) => flow.end > since && flow.start < until && matchesQuery(flow, query))
    .toSorted((one, other) => other.end - one.end);
}
