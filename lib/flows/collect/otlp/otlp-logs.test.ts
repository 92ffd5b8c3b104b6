import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { aFlow } from '../../testing/a-flow.ts';
import type { Sink } from '../collected.ts';
import { otlpHeaders } from './otlp-headers.ts';
import { otlpAddress, otlpLogs } from './otlp-logs.ts';

type Answer = { status: number; body?: unknown; headers?: Record<string, string> };
const ended: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(ended.splice(0).map((end) => end())));

async function aCollector(answers: readonly Answer[] = []) {
  const requests: { url: string | undefined; headers: Record<string, unknown>; body: Sent }[] = [];
  const left = [...answers];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    requests.push({ url: request.url, headers: request.headers, body: JSON.parse(Buffer.concat(parts).toString()) });
    const { status, body = {}, headers = {} } = left.shift() ?? { status: 200 };
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sink: Sink = otlpLogs({
    address: otlpAddress(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    headers: otlpHeaders({ OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20abc' }),
    resource: { 'k8s.cluster.name': 'prod', 'k8s.cluster.uid': null },
    version: 'v1',
    now: () => 1_800_000_050.5,
  });
  ended.push(
    () => sink.close(),
    () => new Promise((resolve) => server.close(resolve)),
  );
  return { requests, sink };
}
type Sent = { resourceLogs: { resource: unknown; scopeLogs: { logRecords: Record<string, unknown>[] }[] }[] };

const flow = { type: 'flow' as const, flow: { id: 'one', ...aFlow({ verdict: 'denied', service: null }) } };

test('a flow is a log record of the protocol, with its cluster and its headers', async () => {
  const { requests, sink } = await aCollector();
  expect(await sink.take([flow])).toEqual({ refused: 0, because: '' });
  expect(requests).toMatchObject([{ url: '/v1/logs', headers: { authorization: 'Bearer abc' } }]);
  const [logs] = requests[0]?.body.resourceLogs ?? [];
  expect(logs?.resource).toEqual({
    attributes: [
      { key: 'service.name', value: { stringValue: 'signalbox' } },
      { key: 'k8s.cluster.name', value: { stringValue: 'prod' } },
    ],
  });
  const [record] = logs?.scopeLogs[0]?.logRecords ?? [];
  expect(record).toMatchObject({
    timeUnixNano: '1800000015000000000',
    observedTimeUnixNano: '1800000050500000000',
    severityText: 'WARN',
    eventName: 'signalbox.flow',
    body: { stringValue: 'shop/checkout → payments/ledger-db:5432 TCP: denied' },
  });
  expect(record?.attributes).toEqual(
    expect.arrayContaining([
      { key: 'flow.id', value: { stringValue: 'one' } },
      { key: 'destination.port', value: { intValue: '5432' } },
      { key: 'flow.from.namespace', value: { stringValue: 'shop' } },
    ]),
  );
  expect(JSON.stringify(record)).not.toContain('null');
});

test('time that was lost is a record too', async () => {
  const { requests, sink } = await aCollector();
  await sink.take([{ type: 'lost', since: 10, until: 20, because: 'it was away' }]);
  expect(requests[0]?.body.resourceLogs[0]?.scopeLogs[0]?.logRecords).toMatchObject([
    { eventName: 'signalbox.flows.lost', timeUnixNano: '20000000000', severityText: 'WARN' },
  ]);
});

test.each<[string, Answer, object]>([
  ['is busy', { status: 503, headers: { 'retry-after': '7' } }, { kind: 'waits', retryInMs: 7000 }],
  [
    'asks for patience for ever',
    { status: 429, headers: { 'retry-after': '1e9' } },
    { kind: 'waits', retryInMs: 300_000 },
  ],
  [
    'has a fault',
    { status: 500, body: 'x\u001b[31m' },
    { kind: 'waits', message: expect.not.stringContaining('\u001b') },
  ],
  [
    'lets nobody in',
    { status: 401 },
    { kind: 'ends', message: expect.stringMatching(/answers 401.*OTEL_EXPORTER_OTLP_HEADERS/) },
  ],
  ['leads elsewhere', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, { kind: 'ends' }],
])('a collector that %s', async (_, answer, error) => {
  const { requests, sink } = await aCollector([answer]);
  await expect(sink.take([flow])).rejects.toMatchObject(error);
  expect(requests).toHaveLength(1);
});

test('one that is not there is waited for, and no header is told', async () => {
  const sink = otlpLogs({
    address: otlpAddress('http://127.0.0.1:1/'),
    headers: { authorization: 'secret' },
    resource: {},
    version: '',
    now: () => 0,
  });
  const error = await sink.take([flow]).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ kind: 'waits', message: expect.stringContaining('ECONNREFUSED') });
  expect(JSON.stringify(error) + String((error as Error).cause)).not.toContain('secret');
  await sink.close();
});

test('what is too large is sent in halves, and what is refused in part is counted', async () => {
  const partial = { partialSuccess: { rejectedLogRecords: '1', errorMessage: 'too old' } };
  const { requests, sink } = await aCollector([{ status: 413 }, { status: 200, body: partial }, { status: 400 }]);
  expect(await sink.take([flow, flow, flow])).toMatchObject({ refused: 2, because: 'too old' });
  expect(requests.map(({ body }) => body.resourceLogs[0]?.scopeLogs[0]?.logRecords.length)).toEqual([3, 2, 1]);
});

test.each([
  ['http://otel:4318', 'http://otel:4318/v1/logs'],
  ['https://otel/in/', 'https://otel/in/v1/logs'],
  ['https://otel/v1/logs', 'https://otel/v1/logs'],
])('%s: %s', (text, expected) => {
  expect(otlpAddress(text).href).toBe(expected);
});

test.each([['otel:4318'], ['ftp://otel'], ['http://user:secret@otel']])('%s is refused', (text) => {
  expect(() => otlpAddress(text)).toThrow(/^(?!.*secret)/);
});

test('headers that are none are refused without a word of them', () => {
  for (const text of ['secret', 'a b=secret', 'a=sec%0d%0aret', 'a=%zz'])
    expect(() => otlpHeaders({ OTEL_EXPORTER_OTLP_HEADERS: text })).toThrow(
      /^OTEL_EXPORTER_OTLP_HEADERS: header 1 is not NAME=VALUE$/,
    );
});
