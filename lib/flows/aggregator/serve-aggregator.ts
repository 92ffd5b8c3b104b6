import type { Duplex } from 'node:stream';
import {
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerWritableStream,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { anything, fields, flagOrNull, listOf, numberOrNull } from '#lib/kube/read/lenient.ts';
import { everyFlow, type FlowFilter } from '../flow-filter.ts';
import { readFilter } from '../wire/filter-message.ts';
import { readFlow } from '../wire/read-flow.ts';
import { longestMessageBytes, servicesOf, type WireFormat } from '../wire/wire-format.ts';
import { writeFlow, writeHit } from '../wire/write-flow.ts';
import type { Aggregator } from './aggregator.ts';
import { AggregatorRefusal } from './aggregator-refusal.ts';
import { hintTypes } from './hints.ts';
import { KeptAnswers } from './kept-answers.ts';
import { type PolicyStatistics, statisticGroups, statisticTypes } from './statistics.ts';
import type { FlowStream, NumberedFlow } from './waiting-flows.ts';

/** In PEM. Clients must show a certificate of the same authority (calico.md §6.2). */
export type AggregatorCertificates = { readonly authority: string; readonly certificate: string; readonly key: string };

export type ServedAggregator = {
  /** Takes over a connection that did not arrive at the port, such as a port-forward. */
  accept(connection: Duplex): void;
  /** `host:port` at which it listens; null if it listens nowhere. */
  readonly address: string | null;
  close(): Promise<void>;
};

const turnEveryMs = 500;
const mostPage = 100_000;

/** Serves an aggregator over gRPC with mutual TLS, as Goldmane. `listen`: `host:port`, or null if connections only come by `accept`. */
export async function serveAggregator(
  aggregator: Aggregator,
  { format, certificates, listen }: { format: WireFormat; certificates: AggregatorCertificates; listen: string | null },
): Promise<ServedAggregator> {
  const server = new Server({
    'grpc.max_receive_message_length': longestMessageBytes,
    'grpc.max_send_message_length': longestMessageBytes,
  });
  const services = servicesOf(format);
  const streams = new Set<FlowStream>();
  server.addService(services.Flows, flowsService(aggregator, streams));
  server.addService(services.Statistics, statisticsService(aggregator));
  server.addService(services.FlowCollector, collectorService(aggregator));
  const { authority, certificate, key } = certificates;
  const credentials = ServerCredentials.createSsl(
    Buffer.from(authority),
    [{ cert_chain: Buffer.from(certificate), private_key: Buffer.from(key) }],
    true,
  );
  const injector = server.createConnectionInjector(credentials);
  const port = listen === null ? null : await bound(server, listen, credentials);
  const turns = setInterval(() => aggregator.turn(), turnEveryMs);
  turns.unref();
  return {
    accept: (connection) => injector.injectConnection(connection),
    address: port === null || listen === null ? null : `${listen.slice(0, listen.lastIndexOf(':'))}:${port}`,
    close: async () => {
      clearInterval(turns);
      for (const stream of streams) stream.close();
      injector.destroy();
      server.forceShutdown();
    },
  };
}

function bound(server: Server, listen: string, credentials: ServerCredentials): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(listen, credentials, (error, port) => (error ? reject(error) : resolve(port)));
  });
}

const request = fields({
  start_time_gte: numberOrNull,
  start_time_lt: numberOrNull,
  page: numberOrNull,
  page_size: numberOrNull,
  sort_by: listOf(fields({ sort_by: numberOrNull })),
  filter: anything,
  type: numberOrNull,
  group_by: numberOrNull,
  policy_match: anything,
  time_series: flagOrNull,
});

function flowsService(aggregator: Aggregator, streams: Set<FlowStream>): UntypedServiceImplementation {
  const answers = new KeptAnswers<NumberedFlow>(() => performance.now());
  const List: handleUnaryCall<unknown, unknown> = (call, answer) =>
    answering(answer, () => {
      const parsed = request.parse(call.request);
      const found = answers.answer(
        JSON.stringify({ ...parsed, page: null }),
        Math.max(0, parsed.page ?? 0),
        () => aggregator.list(rangeOf(parsed), filterOf(parsed.filter), parsed.sort_by[0]?.sort_by ?? 0),
        (all) => paged(all, parsed).isLast,
      );
      const { page, meta } = paged(found, parsed);
      return { meta, flows: page.map(({ id, flow }) => ({ id, flow: writeFlow(flow) })) };
    });
  const FilterHints: handleUnaryCall<unknown, unknown> = (call, answer) =>
    answering(answer, () => {
      const parsed = request.parse(call.request);
      const found = aggregator.hints(rangeOf(parsed), filterOf(parsed.filter), hintTypes[parsed.type ?? 0] ?? 'none');
      const { page, meta } = paged(found, parsed);
      return { meta, hints: page.map((value) => ({ value })) };
    });
  const Stream = async (call: ServerWritableStream<unknown, unknown>) => {
    let stream: FlowStream;
    try {
      const parsed = request.parse(call.request);
      stream = aggregator.stream(parsed.start_time_gte ?? 0, filterOf(parsed.filter));
    } catch (error) {
      refuse(call, error);
      return;
    }
    streams.add(stream);
    const ended = () => stream.close();
    call.on('cancelled', ended).on('close', ended).on('error', ended);
    try {
      for (let next = await stream.next(); next !== null; next = await stream.next()) {
        const taken = call.write({ id: next.id, flow: writeFlow(next.flow) });
        if (!taken && !call.cancelled && !call.destroyed) await drained(call, stream.ended);
      }
      call.end();
    } catch (error) {
      refuse(call, error);
    } finally {
      streams.delete(stream);
    }
  };
  return { List, FilterHints, Stream };
}

/** Waits until the client reads again, or goes away, or the stream has ended, because then nothing ever drains. */
function drained(call: ServerWritableStream<unknown, unknown>, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      for (const event of ['drain', 'cancelled', 'close']) call.off(event, goOn);
      ended.removeEventListener('abort', goOn);
      resolve();
    };
    for (const event of ['drain', 'cancelled', 'close']) call.on(event, goOn);
    if (ended.aborted) goOn();
    else ended.addEventListener('abort', goOn);
  });
}

function statisticsService(aggregator: Aggregator): UntypedServiceImplementation {
  const List = (call: ServerWritableStream<unknown, unknown>) => {
    try {
      const parsed = request.parse(call.request);
      const filter: FlowFilter = parsed.policy_match ? readFilter({ policies: [parsed.policy_match] }) : everyFlow;
      const found = aggregator.statistics(rangeOf(parsed), filter, {
        type: statisticTypes[parsed.type ?? 0] ?? 'packets',
        groupBy: statisticGroups[parsed.group_by ?? 0] ?? 'policy',
        series: parsed.time_series === true ? 'buckets' : 'whole',
      });
      for (const row of found) call.write(writeStatistics(row));
      call.end();
    } catch (error) {
      refuse(call, error);
    }
  };
  return { List };
}

/** Receives the agents' reports and confirms each with one receipt (calico.md §6.3), even one without a flow. */
function collectorService(aggregator: Aggregator): UntypedServiceImplementation {
  const update = fields({ flow: anything });
  const Connect = (call: ServerDuplexStream<unknown, unknown>) => {
    call.on('data', (message: unknown) => {
      const flow = readFlow(update.parse(message).flow);
      if (flow !== null) aggregator.add(flow);
      if (!call.write({})) {
        call.pause();
        call.once('drain', () => call.resume());
      }
    });
    call.on('error', () => call.destroy());
    call.on('end', () => call.end());
  };
  return { Connect };
}

function writeStatistics(row: PolicyStatistics): object {
  return {
    policy: writeHit(row.policy),
    direction: ['any', 'ingress', 'egress'].indexOf(row.direction),
    group_by: statisticGroups.indexOf(row.groupBy),
    type: statisticTypes.indexOf(row.type),
    allowed_in: row.allowed.in,
    allowed_out: row.allowed.out,
    denied_in: row.denied.in,
    denied_out: row.denied.out,
    passed_in: row.passed.in,
    passed_out: row.passed.out,
    x: row.at,
  };
}

const rangeOf = (parsed: { start_time_gte: number | null; start_time_lt: number | null }) => ({
  gte: parsed.start_time_gte ?? 0,
  lt: parsed.start_time_lt ?? 0,
});

const filterOf = (message: unknown) => (message ? readFilter(message) : everyFlow);

function paged<T>(found: readonly T[], { page, page_size }: { page: number | null; page_size: number | null }) {
  const size = page_size && page_size > 0 ? Math.min(page_size, mostPage) : mostPage;
  const first = Math.max(0, page ?? 0) * size;
  return {
    page: found.slice(first, first + size),
    isLast: first + size >= found.length,
    meta: { total_pages: Math.ceil(found.length / size), total_results: found.length },
  };
}

function answering(answer: Parameters<handleUnaryCall<unknown, unknown>>[1], work: () => unknown): void {
  let result: unknown;
  try {
    result = work();
  } catch (error) {
    answer(refusalOf(error));
    return;
  }
  answer(null, result);
}

/** Ends a stream with a status, after what was written. `call.destroy` sends no status, and the client would wait for ever. */
function refuse(call: ServerWritableStream<unknown, unknown>, error: unknown): void {
  call.emit('error', refusalOf(error));
}

/** Goldmane answers requests that it cannot carry out with the code UNKNOWN. */
function refusalOf(error: unknown) {
  const refused = error instanceof AggregatorRefusal;
  const code = refused && error.code === 'exhausted' ? status.RESOURCE_EXHAUSTED : status.UNKNOWN;
  return Object.assign(new Error(refused ? error.message : 'internal error'), {
    code,
    details: refused ? error.message : 'internal error',
  });
}
