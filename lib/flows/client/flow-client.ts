import { Client, type ClientReadableStream, credentials } from '@grpc/grpc-js';
import type { MethodDefinition } from '@grpc/proto-loader';
import type { Kube } from '#lib/kube/index.ts';
import { anything, fields, listOf, numberOrNull, text } from '#lib/kube/read/lenient.ts';
import type { Flow, PolicyHit, TimeRange } from '../flow.ts';
import { FlowError, isFlowError, withCommands } from '../flow-error.ts';
import { everyFlow, type FlowFilter, type HintAbout } from '../flow-filter.ts';
import { writeFilter } from '../wire/filter-message.ts';
import { readFlow, readHit } from '../wire/read-flow.ts';
import { longestMessageBytes, type Services, servicesOf, type WireFormat } from '../wire/wire-format.ts';
import { explained, withoutSecrets } from './explained.ts';
import { type FoundAggregator, findAggregator } from './find-aggregator.ts';
import { allPages, pageSize, tooMuch } from './pages.ts';
import { openTunnel, type Tunnel } from './tunnel.ts';

/** The numbers on the wire (calico.md §6.3). */
const hintNumbers: Readonly<Record<HintAbout, number>> = {
  destName: 1,
  sourceName: 2,
  destNamespace: 3,
  sourceNamespace: 4,
  policyTier: 5,
  policyName: 6,
};

type PolicyTotals = {
  readonly policy: PolicyHit;
  readonly direction: 'any' | 'ingress' | 'egress';
  /** Seconds since the epoch for each number; empty: one number for the whole time. */
  readonly at: readonly number[];
  readonly allowed: readonly number[];
  readonly denied: readonly number[];
  readonly passed: readonly number[];
};

/**
 * One connection to a cluster's aggregator. Every method rejects with a FlowError or a KubeError. The connection ends with the pod; to continue, open
 * another.
 */
export type FlowClient = {
  readonly format: WireFormat;
  /** Identifies the aggregator's process (find-aggregator.ts). */
  readonly process: string;
  /** Flows summed over the whole range, newest first. */
  list(range: TimeRange, filter: FlowFilter, options?: { signal?: AbortSignal }): Promise<Flow[]>;
  /** Flows bucket by bucket from `gte` on (0: from now on). Reads no faster than the caller. Ends only by its signal, or by throwing. */
  stream(gte: number, filter: FlowFilter, signal: AbortSignal): AsyncGenerator<Flow>;
  hints(about: HintAbout, filter?: FlowFilter, options?: { signal?: AbortSignal }): Promise<string[]>;
  /** Packets by rule of policies. */
  statistics(range: TimeRange, options?: { signal?: AbortSignal }): Promise<PolicyTotals[]>;
  close(): Promise<void>;
};

/** A small range for a request that only tests the connection. */
const newestBuckets: TimeRange = { gte: -60, lt: 0 };
/** How long to wait for an answer, and how long a stream may be silent before the connection is tested. */
const usualPatience = { answersWithinMs: 30_000, silentMs: 60_000 };

/**
 * Opens a connection to a cluster's aggregator: finds it, forwards its port and shows it a certificate of the cluster. Also sends a request, because
 * gRPC connects only with its first call, and only an answer proves that rights and certificates suffice.
 */
export async function openFlowClient(kube: Kube, signal?: AbortSignal, patience = usualPatience): Promise<FlowClient> {
  const found = await findAggregator(kube, signal);
  const { pod } = found;
  const tunnel = await openTunnel(async () => {
    if (kube.portForward === undefined) throw new FlowError('no-cluster', 'This cluster forwards no ports.');
    return kube.portForward(pod, { timeoutMs: patience.answersWithinMs, ...(signal === undefined ? {} : { signal }) });
  });
  let client: ReturnType<typeof clientOf> | null = null;
  try {
    client = clientOf(found, tunnel, patience);
    await client.answers(signal);
    return client;
  } catch (error) {
    await (client ?? tunnel).close();
    throw error;
  }
}

function clientOf(
  found: FoundAggregator,
  tunnel: Tunnel,
  { answersWithinMs, silentMs }: typeof usualPatience,
): FlowClient & { answers(signal?: AbortSignal): Promise<void> } {
  const { format, serverName, authority, certificate, key } = found;
  const services = servicesOf(format);
  let client: Client;
  try {
    client = new Client(
      tunnel.address,
      credentials.createSsl(Buffer.from(authority), Buffer.from(key), Buffer.from(certificate)),
      {
        'grpc.ssl_target_name_override': serverName,
        'grpc.default_authority': serverName,
        'grpc.max_receive_message_length': longestMessageBytes,
        // The caller opens the next connection itself: the pod may be a different one, with new certificates.
        'grpc.enable_retries': 0,
        'grpc.service_config_disable_resolution': 1,
        'grpc.use_local_subchannel_pool': 1,
      },
    );
  } catch (error) {
    throw new FlowError(
      'certificates',
      withCommands(
        'The certificate pair for the aggregator in this cluster cannot be used. The operator writes it. Check its status:',
        'status',
      ),
      withoutSecrets(error),
    );
  }
  const inWords = (error: unknown) => explained(error, tunnel.fault(), found);

  const unary = (method: Method, message: object, signal?: AbortSignal): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const call = client.makeUnaryRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        message,
        { deadline: Date.now() + answersWithinMs },
        (error, answer) => {
          signal?.removeEventListener('abort', cancel);
          if (error) reject(signal?.aborted ? signal.reason : inWords(error));
          else resolve(answer);
        },
      );
      const cancel = () => call.cancel();
      signal?.addEventListener('abort', cancel, { once: true });
    });

  async function* serverStream(method: Method, message: object, signal: AbortSignal, deadline?: number) {
    if (signal.aborted) return;
    const call: ClientReadableStream<unknown> = client.makeServerStreamRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      message,
      deadline === undefined ? {} : { deadline },
    );
    const cancel = () => call.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      for await (const answer of call) yield answer as unknown;
    } catch (error) {
      if (!signal.aborted) throw inWords(error);
    } finally {
      signal.removeEventListener('abort', cancel);
      call.on('error', () => undefined);
      call.cancel();
    }
  }

  const method = (service: keyof Services, name: string): Method => {
    const found = services[service][name];
    if (found === undefined) throw new Error(`no method ${service}.${name}`);
    return found;
  };

  const pageOf = async (
    { gte, lt }: TimeRange,
    filter: FlowFilter,
    page: number,
    size: number,
    signal?: AbortSignal,
  ) => {
    const message = {
      start_time_gte: gte,
      start_time_lt: lt,
      page,
      page_size: size,
      sort_by: [{ sort_by: 0 }],
      filter: writeFilter(filter, format),
    };
    const answer = listAnswer.parse(await unary(method('Flows', 'List'), message, signal));
    if (answer.flows.length > size) throw tooMuch();
    return {
      pages: answer.meta.total_pages ?? 1,
      flows: answer.flows.map((one) => readFlow(one.flow)).filter((flow) => flow !== null),
    };
  };

  const answers = async (signal?: AbortSignal) => {
    await pageOf(newestBuckets, everyFlow, 0, 1, signal);
  };

  return {
    format,
    process: found.process,
    answers,
    list: (range, filter, { signal } = {}) =>
      allPages(range, (part, page) => pageOf(part, filter, page, pageSize, signal)),
    stream: async function* (gte, filter, signal) {
      const message = { start_time_gte: gte, filter: writeFilter(filter, format), aggregation_interval: 15 };
      // A quiet cluster looks like a connection that died unnoticed, behind a proxy or with its node. The periodic request tells them apart.
      const dead = new AbortController();
      let isSilent = false;
      // No test while the reader is busy: unread flows may also hold up the answer.
      let isRead = true;
      const watch = setInterval(() => {
        if (!isRead) return;
        // A busy aggregator answers late; a stream that has delivered flows meanwhile is alive.
        const endIfDead = (error: unknown) => {
          if (isSilent && isFlowError(error) && error.code === 'unreachable') dead.abort(error);
        };
        if (isSilent) answers(signal).catch(endIfDead);
        isSilent = true;
      }, silentMs);
      try {
        for await (const answer of serverStream(
          method('Flows', 'Stream'),
          message,
          AbortSignal.any([signal, dead.signal]),
        )) {
          const flow = readFlow(streamAnswer.parse(answer).flow);
          isRead = false;
          if (flow !== null) yield flow;
          [isRead, isSilent] = [true, false];
        }
      } finally {
        clearInterval(watch);
      }
      if (!signal.aborted)
        throw dead.signal.reason ?? new FlowError('unreachable', 'The aggregator ended the stream of flows.');
    },
    hints: async (about, filter = everyFlow, { signal } = {}) => {
      const message = { type: hintNumbers[about], filter: writeFilter(filter, format), page: 0, page_size: pageSize };
      const answer = hintAnswer.parse(await unary(method('Flows', 'FilterHints'), message, signal));
      return answer.hints.map(({ value }) => value).filter((value) => value !== '');
    },
    statistics: async ({ gte, lt }, { signal = new AbortController().signal } = {}) => {
      const message = { start_time_gte: gte, start_time_lt: lt, type: 0, group_by: 1, time_series: false };
      const totals: PolicyTotals[] = [];
      const answers = serverStream(method('Statistics', 'List'), message, signal, Date.now() + answersWithinMs);
      for await (const answer of answers) totals.push(totalsOf(answer));
      return totals;
    },
    close: async () => {
      client.close();
      await tunnel.close();
    },
  };
}

type Method = MethodDefinition<object, object>;

const listAnswer = fields({ meta: fields({ total_pages: numberOrNull }), flows: listOf(fields({ flow: anything })) });
const streamAnswer = fields({ flow: anything });
const hintAnswer = fields({ hints: listOf(fields({ value: text })) });
const numbers = listOf(numberOrNull);
const statisticsAnswer = fields({
  policy: anything,
  direction: numberOrNull,
  x: numbers,
  allowed_in: numbers,
  allowed_out: numbers,
  denied_in: numbers,
  denied_out: numbers,
  passed_in: numbers,
  passed_out: numbers,
});

function totalsOf(answer: unknown): PolicyTotals {
  const read = statisticsAnswer.parse(answer);
  const added = (one: readonly (number | null)[], other: readonly (number | null)[]) =>
    one.map((count, index) => (count ?? 0) + (other[index] ?? 0));
  return {
    policy: readHit(read.policy),
    direction: (['any', 'ingress', 'egress'] as const)[read.direction ?? 0] ?? 'any',
    at: read.x.map((seconds) => seconds ?? 0),
    allowed: added(read.allowed_in, read.allowed_out),
    denied: added(read.denied_in, read.denied_out),
    passed: added(read.passed_in, read.passed_out),
  };
}
