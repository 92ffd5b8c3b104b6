import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { duration } from '#lib/base/words.ts';
import {
  aggregatorPart,
  type Collected,
  type CollectorNews,
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
import { CliError, exit, usageError } from '../exit.ts';
import type { Flags } from '../flags.ts';
import type { OpenCluster } from '../open-cluster.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Where flows are to go: the target in words, and what is opened once the cluster is known. */
export type CollectTarget = {
  readonly name: string;
  open(cluster: { readonly name: string; readonly uid: string | null }): Sink;
};

const now = () => Date.now() / 1000;

/** `--file FILE` or `--otlp URL`. */
export function collectTarget(flags: Flags, env: NodeJS.ProcessEnv): CollectTarget {
  const [file, url] = [flags.text('file'), flags.text('otlp')];
  if (file !== undefined && url !== undefined)
    throw usageError('--file and --otlp: one collector has one target; start another for the other');
  if (file !== undefined) return { name: file, open: () => ndjsonFile(file, lineOf) };
  if (url === undefined) throw usageError('collect needs a target: --file FILE or --otlp URL');
  const address = asUsage('--otlp', () => otlpAddress(url));
  const headers = asUsage('headers', () => otlpHeaders(env));
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
}

function asUsage<T>(flag: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw usageError(`${flag}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A flow as `flows -o ndjson` tells it; what was lost is an object of its own. */
function lineOf(record: Collected): string {
  if (record.type === 'flow') return flowLine(record.flow);
  const { since, until, because } = record;
  return jsonText({ lost: { since: flowTime(since), until: flowTime(until), because } });
}

/** Hands flows on until it is stopped, and goes on from there when it is started again. */
export async function collect(
  { env, terminal }: Pick<Invocation, 'env' | 'terminal'>,
  { kube }: OpenCluster,
  target: CollectTarget,
  { query, sinceSeconds, signal }: { query: Query; sinceSeconds: number; signal: AbortSignal },
): Promise<void> {
  // A sandbox is another one each time.
  const uid = kube.source === 'sandbox' ? null : await clusterUid(kube, { signal });
  if (uid === null && kube.source !== 'sandbox')
    terminal.err(
      'Namespace kube-system cannot be read, whose UID says which cluster this is: a new start does not go on here.',
    );
  const place = uid === null ? null : await placeOf([uid, target.name, queryText({ ...query, since: null })], env);
  const position = place === null ? null : await positionIn(place);
  const sink = target.open({ name: kube.name, uid });
  try {
    const count = await collectFlows({
      open: (stop) => openFlowClient(kube, stop),
      filter: aggregatorPart(query),
      wanted: (flow) => matchesQuery(flow, query),
      sink,
      position,
      save: place === null ? async () => undefined : savingTo(place, terminal),
      sinceSeconds,
      clock: systemClock,
      now,
      signal,
      tell: (news) => terminal.err(visibleLine(inWords(news, target.name))),
    });
    terminal.err(`Stopped. ${count} flows collected.${place === null ? '' : ' The next start goes on here.'}`);
  } catch (error) {
    if (error instanceof SinkError) throw new CliError(exit.notAsAsked, error.message, error.cause);
    throw error;
  } finally {
    await sink.close();
  }
}

async function placeOf(what: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const name = createHash('sha256').update(JSON.stringify(what)).digest('hex').slice(0, 32);
  return join(privateFolder(join(await stateFolder(env), 'collect'), 'XDG_STATE_HOME'), `${name}.json`);
}

async function positionIn(place: string): Promise<Position | null> {
  const text = await readFile(place, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return readPosition(text);
}

/** Flows go on where the position cannot be written: they may come twice after the next start. */
function savingTo(place: string, terminal: Terminal): (position: Position) => Promise<void> {
  let isSaid = false;
  return async (position) => {
    try {
      await writeStateFile(place, position);
      isSaid = false;
    } catch (error) {
      const { code = 'a fault' } = error as NodeJS.ErrnoException;
      if (!isSaid) terminal.err(`${place} cannot be written: ${code}. After a new start flows may come twice.`);
      isSaid = true;
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
      return `${news.count} flows were refused${news.because === '' ? '' : `: ${news.because}`}.`;
    case 'interrupted':
      return `${news.error.message} Trying again in ${duration(news.retryInMs / 1000)}.`;
    case 'waiting':
      return `${news.error.message} Trying again in ${duration(news.retryInMs / 1000)}; Calico keeps an hour of flows.`;
  }
}
