import { messageOf } from '#lib/base/message-of.ts';
import { agreeing, counted, duration, sentence } from '#lib/base/words.ts';
import { inOneLine } from '#lib/flows/flow-error.ts';
import { flowSchema } from '#lib/flows/flow-schema.ts';
import {
  changedPairs,
  type Flow,
  type FlowsOfTime,
  flowTime,
  historySeconds,
  lateSeconds,
  listFlows,
  type Query,
} from '#lib/flows/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import { reportOf } from '#lib/run/index.ts';
import { jsonText, visibleLine } from '#lib/text/index.ts';
import type { Invocation } from '../command.ts';
import { CliError, exit, usageError } from '../exit.ts';
import type { OpenCluster } from '../open-cluster.ts';
import { readTextFile } from '../read-file.ts';
import { pickRun } from '../run/pick-run.ts';
import { readShown } from '../run/read-shown.ts';
import { baselineBefore } from './baseline.ts';
import { askHistory } from './kept-flows.ts';
import { pairTable } from './pair-table.ts';

/** Prints pairs that talked in the hour before a run and are denied or silent since its end, or since its start if it is not over. */
export async function tellChanges(
  invocation: Invocation,
  cluster: OpenCluster,
  format: 'table' | 'json',
): Promise<void> {
  const { flags, terminal } = invocation;
  const run = await pickRun(invocation, cluster, 'newest');
  const { plan, journal, provenance } = await readShown(invocation, cluster, run);
  const { startedAt, endedAt } = reportOf(plan, journal, provenance);
  const begun = secondsOf(startedAt);
  const from = endedAt === null ? begun : secondsOf(endedAt);
  const now = Date.now() / 1000;
  const file = flags.text('before');
  const before =
    file === undefined
      ? await flowsBefore(invocation, cluster, plan, { run, begun })
      : flowsIn('--before', await readTextFile('--before', file));
  if (before.flows.length === 0)
    throw new CliError(
      exit.notAsAsked,
      file !== undefined
        ? `--before: ${file} holds no flow.`
        : `No flows are known from before run ${run} began at ${flowTime(begun)}: flow logs were off, the aggregator was replaced since, or the console kept no history. Write them before the next run: signalbox flows --since 1h -o ndjson > before.ndjson`,
    );
  const since = await flowsOf(invocation, cluster, from, now);
  const { pairs, talked, untold } = changedPairs(before, since);
  if (format === 'json') {
    const time = ({ since: begin, until }: FlowsOfTime) => ({ since: flowTime(begin), until: flowTime(until) });
    terminal.out(
      jsonText(
        {
          apiVersion: 'signalbox.dev/v1',
          kind: 'FlowChanges',
          run,
          before: time(before),
          since: time(since),
          talked,
          untold,
          pairs: pairs.map(({ seen, ...pair }) => ({ ...pair, seen: flowTime(seen) })),
        },
        2,
      ),
    );
    return;
  }
  const count = (state: 'denied' | 'silent') => pairs.filter((pair) => pair.state === state).length;
  terminal.err(
    `Run ${run}, ${endedAt === null ? 'which is in progress' : `ended ${flowTime(from)}`}. Of ${counted(talked, 'pair')} that talked in the ${duration(before.until - before.since)} before it, ${count('denied')} ${agreeing(count('denied'), 'is', 'are')} denied and ${count('silent')} silent in the ${duration(since.until - since.since)} since.${untold === 0 ? '' : ` ${untold} more ${agreeing(untold, 'was', 'were')} not seen yet, and talked too seldom to compare.`}`,
  );
  if (pairs.length === 0) return;
  terminal.out(
    pairTable(
      [
        ['SINCE', 'FROM', 'TO', 'PORT', 'CONNS BEFORE', 'LAST SEEN', 'WHY'],
        ...pairs.map((pair) => [
          terminal.paint(pair.state === 'denied' ? 'red' : 'amber', pair.state),
          visibleLine(pair.from),
          visibleLine(pair.to),
          visibleLine(`${pair.port} ${pair.protocol}`),
          String(pair.connections),
          flowTime(pair.seen),
          visibleLine(pair.why),
        ]),
      ],
      { from: 1, to: 2, words: [6] },
      terminal,
    ),
  );
}

function secondsOf(time: string): number {
  const seconds = Date.parse(time) / 1000;
  if (!Number.isFinite(seconds))
    throw new CliError(exit.notAsAsked, 'The journal of the run does not say when it began.');
  return seconds;
}

/** `begun`: in seconds since 1970. */
type RunBegun = { readonly run: string; readonly begun: number };

/** From the console's history, or as `apply` saved them, or from the aggregator. */
async function flowsBefore(
  invocation: Invocation,
  cluster: OpenCluster,
  plan: Plan,
  of: RunBegun,
): Promise<FlowsOfTime> {
  const { begun } = of;
  const history = await keptFlowsOf(invocation, cluster, begun - historySeconds, begun);
  if (history !== null) return history;
  const baseline = await baselineOf(invocation, plan, of);
  return baseline ?? listedFlowsOf(invocation, cluster, begun - historySeconds, begun);
}

/** Null: `apply` saved none, or they cannot be read, which is printed. The aggregator may still have them. */
async function baselineOf({ env, terminal }: Invocation, plan: Plan, of: RunBegun): Promise<FlowsOfTime | null> {
  const what = 'The flows that were kept before the run';
  try {
    const file = await baselineBefore(env, plan, of);
    if (file === null) return null;
    const read = flowsIn(what, await readTextFile(what, file));
    if (read.flows.length === 0) return null;
    // Flows from before the run's start count, except those of the bucket in which it started.
    return { ...read, until: Math.min(read.until, of.begun) };
  } catch (error) {
    const because = sentence(inOneLine(messageOf(error)));
    terminal.err(visibleLine(`${because} Reading from the aggregator instead.`));
    return null;
  }
}

/** From the console's history, which survives an upgrade, or else from the aggregator's last hour. */
async function flowsOf(
  invocation: Invocation,
  cluster: OpenCluster,
  since: number,
  until: number,
): Promise<FlowsOfTime> {
  return (
    (await keptFlowsOf(invocation, cluster, since, until)) ?? (await listedFlowsOf(invocation, cluster, since, until))
  );
}

/** Null: the console has no flows of that time. */
async function keptFlowsOf(
  { env }: Invocation,
  cluster: OpenCluster,
  since: number,
  until: number,
): Promise<FlowsOfTime | null> {
  const history = await askHistory(env, cluster, timeQuery(since, until));
  if (!history?.ok || history.flows.length === 0) return null;
  if (history.isCut)
    throw new CliError(exit.notAsAsked, 'There are more flows in that time than can be compared at once.');
  return ofSettledTime(history.flows, Math.max(since, history.since ?? since), until);
}

async function listedFlowsOf(
  { signal }: Invocation,
  cluster: OpenCluster,
  since: number,
  until: number,
): Promise<FlowsOfTime> {
  const reaches = Math.max(since, Date.now() / 1000 - historySeconds);
  if (reaches >= until) return { flows: [], since, until };
  return ofSettledTime(await listFlows(cluster.kube, timeQuery(since, until), signal), reaches, until);
}

const timeQuery = (since: number, until: number): Query => ({
  terms: [],
  since: { at: Math.floor(since) },
  until: { at: Math.floor(until) },
});

/** Flows with their time, which ends before flows that are still on their way and starts after the aggregator was replaced: missing flows are not silence. */
function ofSettledTime(flows: readonly Flow[], since: number, until: number): FlowsOfTime {
  const oldest = flows.reduce((first, { start }) => Math.min(first, start), until);
  const newest = flows.reduce((last, { end }) => Math.max(last, end), since);
  const late = Math.max(newest, Date.now() / 1000 - lateSeconds);
  return { flows, since: Math.max(since, oldest), until: Math.max(since, Math.min(until, late)) };
}

/** Parses lines of `flows -o ndjson`. `what` begins each error. */
function flowsIn(what: string, text: string): FlowsOfTime {
  const flows = text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const read = flowOf(line);
    if (read === null) throw usageError(`${what}: line ${index + 1} is not a flow as flows -o ndjson writes it`);
    return [read];
  });
  const until = flows.reduce((last, { end }) => Math.max(last, end), 0);
  return { flows, since: flows.reduce((first, { start }) => Math.min(first, start), until), until };
}

function flowOf(line: string): Flow | null {
  try {
    const { start, end, ...rest } = JSON.parse(line);
    return flowSchema.parse({ ...rest, start: Date.parse(start) / 1000, end: Date.parse(end) / 1000 });
  } catch {
    return null;
  }
}
