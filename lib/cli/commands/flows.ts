import { thousands } from '#lib/base/words.ts';
import {
  bytesText,
  csvHeading,
  csvLine,
  type Flow,
  flowData,
  flowLine,
  historySeconds,
  type ListedFlows,
  listFlows,
  type Query,
  queryText,
  suggestionFor,
  type TalkerGroup,
  talkerGroups,
  talkersOf,
} from '#lib/flows/index.ts';
import { jsonText, visibleLine } from '#lib/text/index.ts';
import { answerWhy } from '#lib/usecases/why/index.ts';
import type { Command, Invocation } from '../command.ts';
import { exit, usageError } from '../exit.ts';
import type { Flags } from '../flags.ts';
import { clickHouseFlag } from '../flows/clickhouse-flag.ts';
import { queryFlags, queryOf, timeProblem } from '../flows/flow-query.ts';
import { flowHeadings, flowRow } from '../flows/flow-rows.ts';
import { flowsInClickHouse } from '../flows/flows-in-clickhouse.ts';
import { askedFlows } from '../flows/kept-flows.ts';
import { suggestedWorkload, tellSuggestion } from '../flows/suggest.ts';
import { watchFlows } from '../flows/watch-flows.ts';
import { tellWhy, whyQuestion } from '../flows/why.ts';
import { clusterFlags, journalFlags, outputFlags } from '../global-flags.ts';
import { type OpenCluster, withCluster } from '../open-cluster.ts';
import { formatOf } from '../terminal/output.ts';
import { columns, type Terminal } from '../terminal/terminal.ts';
import { untilInterrupted } from '../terminal/until-interrupted.ts';

const { from: _dump, ...liveClusterFlags } = clusterFlags;
const formats = ['table', 'json', 'ndjson', 'csv'] as const;
const listedAgo = 15 * 60;
const watchedAgo = 60;
const collectedAgo = historySeconds - 60;
const mostTalkers = 20;
/** Words for groups that not every flow belongs to. */
const heldBy: Readonly<Partial<Record<TalkerGroup, string>>> = {
  denied: 'was denied',
  external: 'came from outside or went there',
  dns: 'went to port 53',
};
const suggestedAgo = historySeconds - 60;
const notOfSuggest = ['watch', 'by', 'from', 'to', 'port', 'verdict', 'policy'] as const;
const notOfWhy = [...notOfSuggest, 'clickhouse'] as const;
/** Flags that only one subcommand has. */
const ofOne = { file: 'collect', otlp: 'collect', keep: 'collect', before: 'changes' } as const;
const notOfChanges = ['watch', 'clickhouse', 'by', 'since', 'from', 'to', 'port', 'verdict', 'policy'] as const;
const notOfCollect = ['watch', 'by', 'output'] as const;

export const flows: Command = {
  name: 'flows',
  arguments: '[top] [QUERY…] | why POD POD:PORT | suggest WORKLOAD | changes [RUN] | collect [QUERY…]',
  summary:
    'Show what the network allowed and denied, and by which policy, from the flow logs of Calico v3.30 and later. QUERY is the same as in the console.',
  examples: [
    ['flows verdict:denied !to:kube-dns', 'flows of the last 15 minutes, one line per pair'],
    ['flows --watch --from shop/', 'flows as they come'],
    ['flows top --by denied --since 1h', 'which pairs were denied most'],
    [
      'flows why shop/checkout shop/cart:8080',
      'why one reaches the other or not: from flows, or from the policies where there are none; /udp may follow the port',
    ],
    [
      'flows suggest shop/cart',
      'a policy that allows what was allowed, as YAML to review; staged where the release can stage policies',
    ],
    [
      'flows --since 20d --clickhouse https://ch.example:8443',
      'flows that `flows collect --clickhouse` wrote to ClickHouse',
    ],
    ['flows changes', 'pairs that talked before the last run, and are denied or silent since'],
    ['flows collect --file flows.ndjson', 'write flows to a file until you stop it; the next start continues there'],
  ],
  flags: {
    ...liveClusterFlags,
    ...queryFlags,
    watch: { short: 'w', help: 'follow flows as they come' },
    before: {
      value: 'FILE',
      help: 'changes: flows before the run, as `flows -o ndjson` wrote them (default: the history of the console)',
    },
    ...journalFlags,
    file: { value: 'FILE', help: 'collect: append flows to this file, as lines of JSON' },
    otlp: {
      value: 'URL',
      help: 'collect: send flows as OTLP logs over HTTP, for example to http://HOST:4318; headers come from OTEL_EXPORTER_OTLP_HEADERS',
    },
    clickhouse: {
      value: 'URL',
      help: 'read flows from ClickHouse, at https://HOST:8443/DATABASE; collect: write them there. User and password come from SIGNALBOX_CLICKHOUSE_USER and SIGNALBOX_CLICKHOUSE_PASSWORD or SIGNALBOX_CLICKHOUSE_PASSWORD_FILE',
    },
    keep: { value: 'DURATION', help: 'collect --clickhouse: how long to keep them: 30d (default), 12h' },
    by: { value: talkerGroups.join('|'), help: 'top: what to group by (default pair)' },
    ...outputFlags,
    output: {
      value: 'FORMAT',
      short: 'o',
      help: 'table (default), json, ndjson or csv; top, why and changes: table or json; suggest: yaml or json',
    },
  },
  async run(invocation) {
    const { args, terminal, signal } = invocation;
    const top = args[0] === 'top';
    const flags = withoutDumps(invocation.flags);
    for (const [flag, word] of Object.entries(ofOne))
      if (args[0] !== word && invocation.flags.has(flag))
        throw usageError(`--${flag} is for ${word}: signalbox flows ${word} --${flag} …`);
    if (args[0] === 'why') return why({ ...invocation, args: args.slice(1) });
    if (args[0] === 'suggest') return suggest({ ...invocation, args: args.slice(1) });
    if (args[0] === 'changes') return changes({ ...invocation, args: args.slice(1) });
    if (args[0] === 'collect') return collecting({ ...invocation, args: args.slice(1) });
    const watch = invocation.flags.has('watch');
    if (top && watch) throw usageError('--watch: top adds up what was; leave one of them out');
    if (!top && invocation.flags.has('by')) throw usageError('--by is for top: signalbox flows top --by to');
    const by = talkerGroupOf(invocation.flags);
    const format = formatOf(invocation.flags, top ? (['table', 'json'] as const) : formats);
    const query = queryOf(invocation.flags, top ? args.slice(1) : args, watch ? watchedAgo : listedAgo);
    if (watch && query.until !== null) throw usageError('until: a watch has no end; leave out until or --watch');
    const problem = timeProblem(
      query,
      Date.now() / 1000,
      flags.has('clickhouse') ? Number.POSITIVE_INFINITY : undefined,
    );
    if (problem !== null) throw usageError(problem);
    if (watch && flags.has('clickhouse'))
      throw usageError('--clickhouse: a watch follows the aggregator; leave one of them out');
    const asked = await askedBy(invocation);
    return withCluster({ ...invocation, flags }, 'fresh', async (cluster) => {
      if (watch) {
        await untilInterrupted(signal, (stop) =>
          watchFlows(cluster, query, { format, terminal, sinceSeconds: secondsAgo(query), signal: stop }),
        );
        return exit.fine;
      }
      const { flows: found } = await asked(cluster, query);
      if (top) showTop(found, query, { by, format }, terminal);
      else show(found, query, format, cluster, terminal);
      return exit.fine;
    });
  },
};

async function why(invocation: Invocation): Promise<number> {
  const { args, flags, terminal, signal } = invocation;
  const question = whyQuestion(args);
  const strange = given(notOfWhy, flags);
  if (strange !== undefined) throw usageError(`--${strange}: why asks for its two ends alone; leave it out`);
  const format = formatOf(flags, ['table', 'json'] as const);
  const time = queryOf(flags, [], listedAgo);
  const words = `the last ${flags.text('since') ?? '15m'}`;
  return withCluster({ ...invocation, flags: withoutDumps(flags) }, 'fresh', async (cluster) => {
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
  const strange = given(notOfSuggest, flags);
  if (strange !== undefined) throw usageError(`--${strange}: suggest asks for all flows of its workload; leave it out`);
  const format = formatOf(flags, ['yaml', 'json'] as const);
  const time = queryOf(flags, [], suggestedAgo);
  const asked = await askedBy(invocation);
  return withCluster({ ...invocation, flags: withoutDumps(flags) }, 'fresh', async (cluster) => {
    const flowsOf = (query: Query) => asked(cluster, query);
    tellSuggestion(await suggestionFor(cluster.kube, target, time, flowsOf, signal), format, terminal);
    return exit.fine;
  });
}

async function changes(invocation: Invocation): Promise<number> {
  const { flags } = invocation;
  const strange = given(notOfChanges, flags);
  if (strange !== undefined) throw usageError(`--${strange}: changes compares all flows around a run; leave it out`);
  const format = formatOf(flags, ['table', 'json'] as const);
  const { tellChanges } = await import('../flows/changes.ts');
  return withCluster({ ...invocation, flags: withoutDumps(flags) }, 'kept', async (cluster) => {
    await tellChanges(invocation, cluster, format);
    return exit.fine;
  });
}

async function collecting(invocation: Invocation): Promise<number> {
  const { args, flags, env, signal } = invocation;
  const strange = given(notOfCollect, flags);
  if (strange !== undefined) throw usageError(`--${strange}: collect writes in its own way; leave it out`);
  const query = queryOf(flags, args, collectedAgo);
  if (query.until !== null) throw usageError('until: collect has no end; leave it out');
  const { collect, collectTarget } = await import('../flows/collect.ts');
  if (flags.has('clickhouse') && query.terms.length > 0)
    throw usageError('QUERY: a history has all flows, or it would say that there were no others; leave it out');
  const target = await collectTarget(flags, env);
  return withCluster({ ...invocation, flags: withoutDumps(flags) }, 'fresh', async (cluster) => {
    await untilInterrupted(signal, (stop) =>
      collect(invocation, cluster, target, { query, sinceSeconds: secondsAgo(query), signal: stop }),
    );
    return exit.fine;
  });
}

/** The source of flows: `--clickhouse`, or else the aggregator and the console's history. */
async function askedBy(invocation: Invocation): Promise<(cluster: OpenCluster, query: Query) => Promise<ListedFlows>> {
  const url = invocation.flags.text('clickhouse');
  if (url === undefined)
    return (cluster, query) =>
      askedFlows(invocation, cluster, query, (of) => listFlows(cluster.kube, of, invocation.signal));
  const access = await clickHouseFlag(url, invocation.env);
  return (cluster, query) => flowsInClickHouse(invocation, cluster, access, query);
}

const given = (names: readonly string[], flags: Flags) =>
  names.find((flag) => flags.has(flag) || flags.list(flag).length > 0);

/** The flags without `--from`, which names a flow's source here and not a dump. */
function withoutDumps(flags: Flags): Flags {
  return { ...flags, list: (name) => (name === 'from' ? [] : flags.list(name)) };
}

function secondsAgo({ since }: Query): number {
  if (since === null) return watchedAgo;
  return Math.min(
    historySeconds - 60,
    Math.max(1, 'ago' in since ? since.ago : Math.ceil(Date.now() / 1000 - since.at)),
  );
}

function show(
  found: readonly Flow[],
  query: Query,
  format: (typeof formats)[number],
  { kube }: OpenCluster,
  terminal: Terminal,
): void {
  switch (format) {
    case 'table':
      if (found.length === 0) tellNone(query, terminal);
      else terminal.out(columns([flowHeadings, ...found.map((flow) => flowRow(flow, terminal.paint))]));
      break;
    case 'json':
      terminal.out(
        jsonText(
          {
            apiVersion: 'signalbox.dev/v1',
            kind: 'Flows',
            cluster: kube.name,
            query: queryText(query),
            flows: found.map(flowData),
          },
          2,
        ),
      );
      break;
    case 'ndjson':
      for (const flow of found) terminal.out(flowLine(flow));
      break;
    case 'csv':
      terminal.out([csvHeading, ...found.map(csvLine)].join('\n'));
  }
}

const tellNone = (query: Query, terminal: Terminal) =>
  terminal.err(`No flows: ${queryText(query)}. They come 30 to 45 s late.`);

/** The group of `top`. Throws a usage error for an unknown one. */
function talkerGroupOf(flags: Flags): TalkerGroup {
  const given = flags.text('by') ?? 'pair';
  const by = talkerGroups.find((group) => group === given);
  if (by === undefined) throw usageError(`--by: ${JSON.stringify(given)} is not one of ${talkerGroups.join(', ')}`);
  return by;
}

function showTop(
  found: readonly Flow[],
  query: Query,
  { by, format }: { by: TalkerGroup; format: (typeof formats)[number] },
  terminal: Terminal,
): void {
  const talkers = talkersOf(found, by, mostTalkers);
  if (format === 'json') {
    terminal.out(jsonText({ apiVersion: 'signalbox.dev/v1', kind: 'Talkers', by, talkers }, 2));
    return;
  }
  if (talkers.length === 0) {
    if (found.length === 0) tellNone(query, terminal);
    else terminal.err(`None of ${thousands(found.length)} flows ${heldBy[by] ?? ''}: ${queryText(query)}.`);
    return;
  }
  const rows = talkers.map(({ name, bytes, packets, connections, denied }) => [
    bytesText(bytes),
    String(packets),
    String(connections),
    denied > 0 ? terminal.paint('red', String(denied)) : '0',
    visibleLine(name),
  ]);
  terminal.out(columns([['BYTES', 'PACKETS', 'CONNS', 'DENIED', by.toUpperCase()], ...rows]));
}
