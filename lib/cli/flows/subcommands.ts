import { historySeconds, listFlows, type Query, suggestionFor } from '#lib/flows/index.ts';
import { answerWhy } from '#lib/usecases/why/index.ts';
import type { Invocation } from '../command.ts';
import { exit, usageError } from '../exit.ts';
import type { Flags } from '../flags.ts';
import { withCluster } from '../open-cluster.ts';
import { formatOf } from '../terminal/output.ts';
import { untilInterrupted } from '../terminal/until-interrupted.ts';
import { listedAgo, queryOf, secondsAgo } from './flow-query.ts';
import { flowSource } from './flow-source.ts';
import { suggestedWorkload, tellSuggestion } from './suggest.ts';
import { tellWhy, whyQuestion } from './why.ts';

const collectedAgo = historySeconds - 60;
const suggestedAgo = historySeconds - 60;
const notOfSuggest = ['watch', 'by', 'from', 'to', 'port', 'verdict', 'policy'] as const;
const notOfWhy = [...notOfSuggest, 'clickhouse'] as const;
const notOfChanges = ['watch', 'clickhouse', 'by', 'since', 'from', 'to', 'port', 'verdict', 'policy'] as const;
const notOfCollect = ['watch', 'by', 'output'] as const;

/** Words after `flows` that do something else than list flows; each takes the arguments behind its word. */
export const subcommands: ReadonlyMap<string, (invocation: Invocation) => Promise<number>> = new Map([
  ['why', why],
  ['suggest', suggest],
  ['changes', changes],
  ['collect', collecting],
]);

async function why(invocation: Invocation): Promise<number> {
  const { args, flags, terminal, signal } = invocation;
  const question = whyQuestion(args);
  refuse(notOfWhy, flags, 'why takes only its two ends');
  const format = formatOf(flags, ['table', 'json'] as const);
  const time = queryOf(flags, [], listedAgo);
  const words = `the last ${flags.text('since') ?? '15m'}`;
  return withCluster(invocation, 'fresh', async (cluster) => {
    const of = async (terms: Query['terms']) => ({
      flows: await listFlows(cluster.kube, { ...time, terms }, signal),
      isCut: false,
    });
    const seen = { of, words };
    tellWhy(await answerWhy(cluster.kube, question, seen, signal), words, format, terminal);
    return exit.fine;
  });
}

async function suggest(invocation: Invocation): Promise<number> {
  const { args, flags, terminal, signal } = invocation;
  const target = suggestedWorkload(args);
  refuse(notOfSuggest, flags, 'suggest reads all flows of its workload');
  const format = formatOf(flags, ['yaml', 'json'] as const);
  const time = queryOf(flags, [], suggestedAgo);
  const readFlows = await flowSource(invocation);
  return withCluster(invocation, 'fresh', async (cluster) => {
    const flowsOf = (query: Query) => readFlows(cluster, query);
    tellSuggestion(await suggestionFor(cluster.kube, target, time, flowsOf, signal), format, terminal);
    return exit.fine;
  });
}

async function changes(invocation: Invocation): Promise<number> {
  const { flags } = invocation;
  refuse(notOfChanges, flags, 'changes compares all flows around a run');
  const format = formatOf(flags, ['table', 'json'] as const);
  const { tellChanges } = await import('./changes.ts');
  return withCluster(invocation, 'kept', async (cluster) => {
    await tellChanges(invocation, cluster, format);
    return exit.fine;
  });
}

async function collecting(invocation: Invocation): Promise<number> {
  const { args, flags, env, signal } = invocation;
  refuse(notOfCollect, flags, 'collect does not use it');
  const query = queryOf(flags, args, collectedAgo);
  if (query.until !== null) throw usageError('until: collect has no end; leave it out');
  const { collect, collectTarget } = await import('./collect.ts');
  if (flags.has('clickhouse') && query.terms.length > 0)
    throw usageError('QUERY: the history in ClickHouse must have all flows; leave it out');
  const target = await collectTarget(flags, env);
  return withCluster(invocation, 'fresh', async (cluster) => {
    await untilInterrupted(signal, (stop) =>
      collect(invocation, cluster, target, { query, sinceSeconds: secondsAgo(query), signal: stop }),
    );
    return exit.fine;
  });
}

/** Throws a usage error if one of these flags is given. `because`: why the subcommand takes none of them, as a clause. */
function refuse(names: readonly string[], flags: Flags, because: string): void {
  const given = names.find((flag) => flags.has(flag));
  if (given !== undefined) throw usageError(`--${given}: ${because}; leave it out`);
}
