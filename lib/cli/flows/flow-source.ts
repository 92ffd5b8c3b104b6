import { type ListedFlows, listFlows, type Query } from '#lib/flows/index.ts';
import type { Invocation } from '../command.ts';
import type { OpenCluster } from '../open-cluster.ts';
import { clickHouseFlag } from './clickhouse-flag.ts';
import { flowsInClickHouse } from './flows-in-clickhouse.ts';
import { askedFlows } from './kept-flows.ts';

/** The source of flows: `--clickhouse`, or else the aggregator and the console's history. */
export async function flowSource(
  invocation: Invocation,
): Promise<(cluster: OpenCluster, query: Query) => Promise<ListedFlows>> {
  const url = invocation.flags.text('clickhouse');
  if (url === undefined)
    return (cluster, query) =>
      askedFlows(invocation, cluster, query, (of) => listFlows(cluster.kube, of, invocation.signal));
  const access = await clickHouseFlag(url, invocation.env);
  return (cluster, query) => flowsInClickHouse(invocation, cluster, access, query);
}
