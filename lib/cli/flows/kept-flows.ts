import { askConsole } from '#lib/console/ask-console.ts';
import { historySeconds, type ListedFlows, type Query, queryText } from '#lib/flows/index.ts';
import { stateFolder } from '#lib/folders/index.ts';
import { clusterUid } from '#lib/kube/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import type { Invocation } from '../command.ts';
import { inTheConsole } from '../in-the-console.ts';
import type { OpenCluster } from '../open-cluster.ts';

/**
 * Flows from before the hour that Calico keeps, from the history that the console of this machine has; what else is to be known of them goes to stderr.
 * Null: the aggregator's hour is all that there is, and why was said.
 */
export async function keptFlows(
  { env, terminal }: Pick<Invocation, 'env' | 'terminal'>,
  cluster: OpenCluster,
  query: Query,
): Promise<ListedFlows | null> {
  if (!reachesBack(query)) return null;
  const reply = await askHistory(env, cluster, query);
  if (reply === null) return null;
  if (!reply.ok) {
    terminal.err(`Calico keeps an hour of flows, and this is all of it: ${visibleLine(reply.message)}`);
    return null;
  }
  if (reply.since === null) {
    terminal.err('The console has no history of this cluster yet; this is the hour that Calico keeps.');
    return null;
  }
  terminal.err(
    `From the history of the console, which begins at ${new Date(reply.since * 1000).toISOString().replace('.000Z', 'Z')}.`,
  );
  if (reply.note !== null) terminal.err(visibleLine(reply.note));
  if (reply.isCut) terminal.err('There are more flows than fit: these are the newest.');
  return { flows: reply.flows, isCut: reply.isCut };
}

/** What the console of this machine has of a time; null: it cannot have this cluster. */
export async function askHistory(env: Invocation['env'], cluster: OpenCluster, query: Query) {
  const named = inTheConsole(cluster);
  if (named === null) return null;
  // A name is not enough: clusters that the console and this command reach may share it.
  const uid = await clusterUid(cluster.kube).catch(() => null);
  return askConsole(await stateFolder(env), { ask: 'flows', cluster: named, query: queryText(query), uid });
}

/** Whether a query asks for more than an aggregator has. */
function reachesBack({ since }: Pick<Query, 'since'>, now = Date.now() / 1000): boolean {
  if (since === null) return false;
  return ('ago' in since ? since.ago : now - since.at) > historySeconds;
}
