import { messageOf } from '#lib/base/message-of.ts';
import { askConsole } from '#lib/console/ask-console.ts';
import { inOneLine } from '#lib/flows/flow-error.ts';
import {
  type Flow,
  flowTime,
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

/** An aggregator's flows for a query, newest first. */
type AskAggregator = (query: Query) => Promise<readonly Flow[]>;

/**
 * Flows of a query from the aggregator and, for times before its last hour, from the history of this machine's console; remarks go to stderr. Rejects as `ask`
 * does if the history does not answer either.
 */
export async function askedFlows(
  invocation: Pick<Invocation, 'env' | 'terminal'>,
  cluster: OpenCluster,
  query: Query,
  ask: AskAggregator,
  now = Date.now() / 1000,
): Promise<ListedFlows> {
  const window = windowOf(query, now);
  const fromHistory = (older: Query) => keptFlows(invocation, cluster, older);
  if (window === null || window.since >= now - historySeconds) return { flows: await ask(query), isCut: false };
  const settled = { since: Math.floor(window.since), until: Math.ceil(window.until) };
  if (settled.until <= now - historySeconds)
    return (await fromHistory({ ...query, ...atOf(settled) })) ?? { flows: await ask(query), isCut: false };
  try {
    return await withOlder(query, settled, now, ask, fromHistory);
  } catch (error) {
    const found = await fromHistory({ ...query, ...atOf(settled) });
    if (found === null) throw error;
    const because = inOneLine(messageOf(error));
    invocation.terminal.err(visibleLine(`The last hour is missing where the console did not record it: ${because}`));
    return found;
  }
}

const atOf = ({ since, until }: Window) => ({ since: { at: since }, until: { at: until } });

/** The history's flows of an absolute time; a relative one would end with its newest flow, which may be days old. Null: none, and why was printed. */
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
    `Flows older than one hour are from the history of the console, which ${beginAndEnd({ since: reply.since, until: reply.until ?? null }, query)}.`,
  );
  if (reply.note !== null) terminal.err(visibleLine(reply.note));
  if (reply.isCut) terminal.err('There are more flows than fit: these are the newest.');
  return { flows: reply.flows, isCut: reply.isCut };
}

/** A sentence about where the history starts, and where it ends if that is before the query's end. */
export function beginAndEnd(history: { since: number; until: number | null }, query: Pick<Query, 'until'>): string {
  const { since, until } = history;
  const ends = until !== null && query.until !== null && 'at' in query.until && until < query.until.at;
  return `begins at ${flowTime(since)}${ends ? ` and ends at ${flowTime(until)}: what was not recorded since is missing` : ''}`;
}

/** The history of this machine's console for a query; null: the cluster cannot be in the console. */
export async function askHistory(env: Invocation['env'], cluster: OpenCluster, query: Query) {
  const named = inTheConsole(cluster);
  if (named === null) return null;
  // Names are not enough: another cluster of the console may have the same name.
  const uid = await clusterUid(cluster.kube).catch(() => null);
  return askConsole(await stateFolder(env), { ask: 'flows', cluster: named, query: queryText(query), uid });
}
