import type { Kube } from '#lib/kube/index.ts';
import { type Flow, historySeconds } from '../flow.ts';
import { aggregatorPart } from '../query/aggregator-part.ts';
import { matchesQuery } from '../query/matches-query.ts';
import type { Query } from '../query/query.ts';
import { openFlowClient } from './flow-client.ts';

/** The flows of a query that the aggregator has, of an hour at most, newest first. Rejects as a FlowClient does. */
export async function listFlows(kube: Kube, query: Query, signal: AbortSignal): Promise<Flow[]> {
  const client = await openFlowClient(kube, signal);
  try {
    const found = await client.list(rangeOf(query), aggregatorPart(query), { signal });
    return found.filter((flow) => matchesQuery(flow, query));
  } finally {
    await client.close();
  }
}

/** Times are relative to the aggregator's clock, because this machine's may differ. */
function rangeOf({ since, until }: Query): { gte: number; lt: number } {
  const gte = since === null ? 0 : 'at' in since ? since.at : since.ago >= historySeconds ? 0 : -since.ago;
  const lt = until === null ? 0 : 'at' in until ? until.at : -until.ago;
  return { gte: gte > 0 && gte < Date.now() / 1000 - historySeconds ? 0 : gte, lt };
}
