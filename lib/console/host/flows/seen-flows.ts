import type { Flow, Query } from '#lib/flows/index.ts';
import type { Kube } from '#lib/kube/index.ts';
import type { Slug } from '../../host.ts';
import type { FlowHistories } from '../../streams/index.ts';

const mostFlows = 10_000;

/** Where flows of a cluster are asked for. */
export type SeenBy = { readonly kube: Kube; readonly cluster: Slug; readonly histories: Pick<FlowHistories, 'kept'> };

/**
 * What is known of a query, newest first: from the history of this console where it has one, else from the aggregator. Why no history opens is told where
 * the history is shown.
 */
export async function seenFlows(
  { kube, cluster, histories }: SeenBy,
  query: Query,
  signal: AbortSignal,
): Promise<readonly Flow[]> {
  const history = await histories.kept(cluster).catch(() => null);
  if (history !== null) return (await history.list(query, mostFlows)).flows;
  const { listFlows } = await import('#lib/flows/index.ts');
  return listFlows(kube, query, signal);
}
