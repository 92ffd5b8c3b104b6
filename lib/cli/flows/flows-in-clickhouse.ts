import {
  atWindow,
  type ClickHouseAccess,
  type ListedFlows,
  mostListed,
  openSharedHistory,
  type Query,
  windowOf,
} from '#lib/flows/index.ts';
import { clusterUid } from '#lib/kube/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import type { Invocation } from '../command.ts';
import { CliError, exit } from '../exit.ts';
import type { OpenCluster } from '../open-cluster.ts';
import { beginAndEnd } from './kept-flows.ts';

/**
 * Flows of a query that collectors wrote to ClickHouse; remarks go to stderr. Does not ask the aggregator. Rejects with a CliError if the server or the
 * cluster's UID cannot be read.
 */
export async function flowsInClickHouse(
  { terminal, signal }: Pick<Invocation, 'terminal' | 'signal'>,
  { kube }: Pick<OpenCluster, 'kube'>,
  access: ClickHouseAccess,
  query: Query,
  now = Date.now() / 1000,
): Promise<ListedFlows> {
  const uid = kube.source === 'live' ? await clusterUid(kube, { signal }) : null;
  if (uid === null)
    throw new CliError(
      exit.notAsAsked,
      kube.source === 'live'
        ? 'Namespace kube-system cannot be read. Its UID is needed to tell clusters apart in ClickHouse.'
        : 'ClickHouse keeps flows by the UID of the cluster, and a sandbox has none.',
    );
  try {
    const history = await openSharedHistory({ access, cluster: uid, now: () => now });
    try {
      const settled = atWindow(query, windowOf(query, now));
      const found = await history.list(settled, mostListed);
      const since = (await history.spans())[0]?.since ?? null;
      if (since !== null)
        terminal.err(`The history in ClickHouse ${beginAndEnd({ since, until: history.newest() }, settled)}.`);
      const { note } = history.state();
      if (note !== null) terminal.err(visibleLine(note));
      if (found.isCut) terminal.err('There are more flows than fit: these are the newest.');
      return found;
    } finally {
      await history.close();
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'ClickHouseFault')
      throw new CliError(exit.notAsAsked, error.message, error);
    throw error;
  }
}
