import { type TalkerGroup, talkerGroups } from '#lib/flows/index.ts';
import type { Command } from '../command.ts';
import { exit, usageError } from '../exit.ts';
import type { Flags } from '../flags.ts';
import { listedAgo, queryFlags, queryOf, secondsAgo, timeProblem, watchedAgo } from '../flows/flow-query.ts';
import { flowSource } from '../flows/flow-source.ts';
import { flowFormats, showFlows, showTalkers } from '../flows/show-flows.ts';
import { subcommands } from '../flows/subcommands.ts';
import { watchFlows } from '../flows/watch-flows.ts';
import { clusterFlags, journalFlags, outputFlags } from '../global-flags.ts';
import { withCluster } from '../open-cluster.ts';
import { formatOf } from '../terminal/output.ts';
import { untilInterrupted } from '../terminal/until-interrupted.ts';

const { from: _dump, ...otherClusterFlags } = clusterFlags;
/** Flags that only one subcommand has. */
const ofOne = { file: 'collect', otlp: 'collect', keep: 'collect', before: 'changes' } as const;

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
    ...otherClusterFlags,
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
    const { args, flags, terminal, signal } = invocation;
    const [word = '', ...rest] = args;
    for (const [flag, of] of Object.entries(ofOne))
      if (word !== of && flags.has(flag)) throw usageError(`--${flag} is for ${of}: signalbox flows ${of} --${flag} …`);
    const other = subcommands.get(word);
    if (other) return other({ ...invocation, args: rest });
    const top = word === 'top';
    const watch = flags.has('watch');
    if (top && watch) throw usageError('--watch: top adds up past flows; leave one of them out');
    if (!top && flags.has('by')) throw usageError('--by is for top: signalbox flows top --by to');
    const by = talkerGroupOf(flags);
    const format = formatOf(flags, top ? (['table', 'json'] as const) : flowFormats);
    const query = queryOf(flags, top ? rest : args, watch ? watchedAgo : listedAgo);
    if (watch && query.until !== null) throw usageError('until: a watch has no end; leave out until or --watch');
    const problem = timeProblem(
      query,
      Date.now() / 1000,
      flags.has('clickhouse') ? Number.POSITIVE_INFINITY : undefined,
    );
    if (problem !== null) throw usageError(problem);
    if (watch && flags.has('clickhouse'))
      throw usageError('--clickhouse: a watch follows the aggregator; leave one of them out');
    const readFlows = await flowSource(invocation);
    return withCluster(invocation, 'fresh', async (cluster) => {
      if (watch) {
        await untilInterrupted(signal, (stop) =>
          watchFlows(cluster, query, { format, terminal, sinceSeconds: secondsAgo(query), signal: stop }),
        );
        return exit.fine;
      }
      const { flows: found } = await readFlows(cluster, query);
      if (top) showTalkers(found, query, { by, format }, terminal);
      else showFlows(found, query, format, cluster, terminal);
      return exit.fine;
    });
  },
};

/** The group of `top`. Throws a usage error for an unknown one. */
function talkerGroupOf(flags: Flags): TalkerGroup {
  const given = flags.text('by') ?? 'pair';
  const by = talkerGroups.find((group) => group === given);
  if (by === undefined) throw usageError(`--by: ${JSON.stringify(given)} is not one of ${talkerGroups.join(', ')}`);
  return by;
}
