import { askConsole } from '#lib/console/ask-console.ts';
import { inOneLine } from '#lib/flows/flow-error.ts';
import {
  type Flow,
  historySeconds,
  type ListedFlows,
  type Query,
  queryText,
  type Window,
  windowOf,
  withOlder,
} from '#lib/flows/index.ts';
import { stateFolder } from '#lib/folders/index.ts';
import { clusterUid } from '#lib/kube/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import type { Invocation } from '../command.ts';
import { inTheConsole } from '../in-the-console.ts';
import type { OpenCluster } from '../open-cluster.ts';

/** What an aggregator answers of a query, newest first. */
type Told = (query: Query) => Promise<readonly Flow[]>;

/**
 * Flows of a query: what the aggregator tells, and of more than its hour what is older from the history that the console of this machine has; what else is
 * to be known of them goes to stderr. Rejects as `told` does where the history does not answer either.
 */
export async function askedFlows(
  invocation: Pick<Invocation, 'env' | 'terminal'>,
  cluster: OpenCluster,
  query: Query,
  told: Told,
  now = Date.now() / 1000,
): Promise<ListedFlows> {
  const window = windowOf(query, now);
  const kept = (older: Query) => keptFlows(invocation, cluster, older);
  if (window === null || window.since >= now - historySeconds) return { flows: await told(query), isCut: false };
  const settled = { since: Math.floor(window.since), until: Math.ceil(window.until) };
  if (settled.until <= now - historySeconds)
    return (await kept({ ...query, ...atOf(settled) })) ?? { flows: await told(query), isCut: false };
  try {
    return await withOlder(query, settled, now, told, kept);
  } catch (error) {
    const found = await kept({ ...query, ...atOf(settled) });
    if (found === null) throw error;
    const because = inOneLine(error instanceof Error ? error.message : String(error));
    invocation.terminal.err(visibleLine(`The last hour is missing where the console did not record it: ${because}`));
    return found;
  }
}

const atOf = ({ since, until }: Window) => ({ since: { at: since }, until: { at: until } });

/** What the history has of a time that stands still: relative ones would end with its newest flow, which may be days old. Null: why not was said. */
async function keptFlows(
  { env, terminal }: Pick<Invocation, 'env' | 'terminal'>,
  cluster: OpenCluster,
  query: Query,
): Promise<ListedFlows | null> {
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
    `What is older than the hour that Calico keeps is from the history of the console, which ${beginAndEnd({ since: reply.since, until: reply.until ?? null }, query)}.`,
  );
  if (reply.note !== null) terminal.err(visibleLine(reply.note));
  if (reply.isCut) terminal.err('There are more flows than fit: these are the newest.');
  return { flows: reply.flows, isCut: reply.isCut };
}

/** Where a history begins, and where it ends before the query does. */
export function beginAndEnd(history: { since: number; until: number | null }, query: Pick<Query, 'until'>): string {
  const time = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
  const { since, until } = history;
  const ends = until !== null && query.until !== null && 'at' in query.until && until < query.until.at;
  return `begins at ${time(since)}${ends ? ` and ends at ${time(until)}: what was not recorded since is missing` : ''}`;
}

/** What the console of this machine has of a time; null: it cannot have this cluster. */
export async function askHistory(env: Invocation['env'], cluster: OpenCluster, query: Query) {
  const named = inTheConsole(cluster);
  if (named === null) return null;
  // A name is not enough: clusters that the console and this command reach may share it.
  const uid = await clusterUid(cluster.kube).catch(() => null);
  return askConsole(await stateFolder(env), { ask: 'flows', cluster: named, query: queryText(query), uid });
}
