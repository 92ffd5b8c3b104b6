import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { counted, duration } from '#lib/base/words.ts';
import { inOneLine } from '#lib/flows/flow-error.ts';
import {
  aggregatorPart,
  type Collected,
  type CollectorNews,
  clickHouseSink,
  collectFlows,
  flowLine,
  flowTime,
  matchesQuery,
  ndjsonFile,
  openFlowClient,
  otlpAddress,
  otlpHeaders,
  otlpLogs,
  type Position,
  type Query,
  queryText,
  readPosition,
  type Sink,
  SinkError,
} from '#lib/flows/index.ts';
import { privateFolder, stateFolder } from '#lib/folders/index.ts';
import { clusterUid, systemClock } from '#lib/kube/index.ts';
import { writeStateFile } from '#lib/run/index.ts';
import { jsonText, visibleLine } from '#lib/text/index.ts';
import { clientVersion } from '../client-version.ts';
import type { Invocation } from '../command.ts';
import { asUsage, CliError, exit, usageError } from '../exit.ts';
import { type Flags, parseKeptFor } from '../flags.ts';
import type { OpenCluster } from '../open-cluster.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { clickHouseFlag } from './clickhouse-flag.ts';

/** A target for flows: its description, and how to open it once the cluster is known. */
export type CollectTarget = {
  readonly name: string;
  /** Size of batches, if not the default. */
  readonly batches?: { readonly most: number; readonly waitMs: number };
  open(
    cluster: {
      readonly name: string;
      readonly uid: string | null;
      /** Another one for each sandbox, which has no UID. */
      readonly id: string | null;
      readonly goesOn: boolean;
    },
    tell: (line: string) => void,
  ): Sink;
};

/** ClickHouse stores each batch as a part that it must merge, so batches are large. */
const largeBatches = { most: 10_000, waitMs: 2_000 };
const usualKeptDays = 30;

const now = () => Date.now() / 1000;

/** `--file FILE`, `--otlp URL` or `--clickhouse URL`. */
export async function collectTarget(flags: Flags, env: NodeJS.ProcessEnv): Promise<CollectTarget> {
  const [one, other] = Object.keys(targets).filter((flag) => flags.has(flag));
  if (one === undefined) throw usageError('collect needs a target: --file FILE, --otlp URL or --clickhouse URL');
  if (other !== undefined)
    throw usageError(`--${one} and --${other}: one collector has one target; start another for the other`);
  if (one !== 'clickhouse' && flags.has('keep'))
    throw usageError('--keep is for --clickhouse only: a file or a collector decides itself how long it keeps flows');
  return targets[one as keyof typeof targets](flags.text(one) ?? '', env, flags);
}

const targets: Readonly<
  Record<
    'file' | 'otlp' | 'clickhouse',
    (given: string, env: NodeJS.ProcessEnv, flags: Flags) => Promise<CollectTarget>
  >
> = {
  file: async (file) => ({ name: file, open: () => ndjsonFile(file, lineOf) }),
  otlp: async (url, env) => {
    const address = await asUsage('--otlp', () => otlpAddress(url));
    const headers = await asUsage('headers', () => otlpHeaders(env));
    return {
      name: address.href,
      open: ({ name, uid }) =>
        otlpLogs({
          address,
          headers,
          resource: { 'k8s.cluster.name': name, 'k8s.cluster.uid': uid },
          version: clientVersion().version,
          now,
        }),
    };
  },
  clickhouse: async (url, env, flags) => {
    const access = await clickHouseFlag(url, env);
    const keptSeconds = keepSeconds(flags.text('keep'));
    return {
      name: `${access.url}/${access.database}`,
      batches: largeBatches,
      open: ({ id, goesOn }, tell) => {
        if (id === null)
          throw new CliError(
            exit.notAsAsked,
            'Namespace kube-system cannot be read. Its UID is needed to tell clusters apart in ClickHouse.',
          );
        return clickHouseSink({ access, cluster: id, keptSeconds, goesOn, now, tell });
      },
    };
  },
};

/** `--keep`, in seconds. */
function keepSeconds(text = `${usualKeptDays}d`): number {
  return parseKeptFor('keep', text, '30d or 12h');
}

/** A flow in the form of `flows -o ndjson`, or an object that reports lost flows. */
function lineOf(record: Collected): string {
  if (record.type === 'flow') return flowLine(record.flow);
  const { since, until, because } = record;
  return jsonText({ lost: { since: flowTime(since), until: flowTime(until), because } });
}

/** Passes flows on until it is stopped; the next start continues there. */
export async function collect(
  { env, terminal }: Pick<Invocation, 'env' | 'terminal'>,
  { kube }: OpenCluster,
  target: CollectTarget,
  { query, sinceSeconds, signal }: { query: Query; sinceSeconds: number; signal: AbortSignal },
): Promise<void> {
  // A sandbox is a new cluster each time.
  const uid = kube.source === 'sandbox' ? null : await clusterUid(kube, { signal });
  if (uid === null && kube.source !== 'sandbox')
    terminal.err(
      'Namespace kube-system, whose UID identifies the cluster, cannot be read: the next start does not continue here.',
    );
  const path = uid === null ? null : await pathFor([uid, target.name, queryText({ ...query, since: null })], env);
  const position = path === null ? null : await positionIn(path);
  const id = kube.source === 'sandbox' ? `sandbox ${randomUUID()}` : uid;
  const sink = target.open({ name: kube.name, uid, id, goesOn: position !== null }, (line) =>
    terminal.err(visibleLine(line)),
  );
  try {
    const count = await collectFlows({
      open: (stop) => openFlowClient(kube, stop),
      filter: aggregatorPart(query),
      wanted: (flow) => matchesQuery(flow, query),
      sink,
      position,
      save: path === null ? async () => undefined : savingTo(path, terminal),
      sinceSeconds,
      ...(target.batches ? { batches: target.batches } : {}),
      clock: systemClock,
      now,
      signal,
      tell: (news) => terminal.err(visibleLine(inWords(news, target.name))),
    });
    terminal.err(
      `Stopped. ${counted(count, 'flow')} collected.${path === null ? '' : ' The next start continues here.'}`,
    );
  } catch (error) {
    if (error instanceof SinkError) throw new CliError(exit.notAsAsked, error.message, error.cause);
    throw error;
  } finally {
    await sink.close();
  }
}

async function pathFor(what: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const name = createHash('sha256').update(JSON.stringify(what)).digest('hex').slice(0, 32);
  return join(privateFolder(join(await stateFolder(env), 'collect'), 'XDG_STATE_HOME'), `${name}.json`);
}

async function positionIn(path: string): Promise<Position | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return readPosition(text);
}

/** Continues if the position cannot be saved; then flows may be passed on twice after the next start. */
function savingTo(path: string, terminal: Terminal): (position: Position) => Promise<void> {
  let isReported = false;
  return async (position) => {
    try {
      await writeStateFile(path, position);
      isReported = false;
    } catch (error) {
      const { code = 'a fault' } = error as NodeJS.ErrnoException;
      if (!isReported) terminal.err(`${path} cannot be written: ${code}. After a new start flows may come twice.`);
      isReported = true;
    }
  };
}

function inWords(news: CollectorNews, target: string): string {
  switch (news.type) {
    case 'connected':
      return `Collecting into ${target}${news.goesOnAt === null ? '' : `, from ${flowTime(news.goesOnAt)} on`}. Flows come 30 to 45 s late.`;
    case 'lost':
      return `Lost: flows between ${flowTime(news.since)} and ${flowTime(news.until)} may be missing: ${news.because}.`;
    case 'refused':
      return `${counted(news.count, 'flow was', 'flows were')} refused${news.because === '' ? '' : `: ${news.because}`}.`;
    case 'interrupted':
      return `${inOneLine(news.error.message)} Trying again in ${duration(news.retryInMs / 1000)}.`;
    case 'waiting':
      return `${inOneLine(news.error.message)} Trying again in ${duration(news.retryInMs / 1000)}; Calico keeps an hour of flows.`;
  }
}
