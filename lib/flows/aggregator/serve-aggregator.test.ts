import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Client, credentials } from '@grpc/grpc-js';
import { afterEach, expect, test } from 'vitest';
import { issueCertificate } from '#lib/base/certificates.ts';
import { everyFlow } from '../flow-filter.ts';
import { aFlow } from '../testing/a-flow.ts';
import { readFlow } from '../wire/read-flow.ts';
import { servicesOf } from '../wire/wire-format.ts';
import { writeFlow } from '../wire/write-flow.ts';
import { Aggregator } from './aggregator.ts';
import { AggregatorRefusal } from './aggregator-refusal.ts';
import { goldmaneQuirks, noQuirks, type QuirkId } from './quirks.ts';
import { type ServedAggregator, serveAggregator } from './serve-aggregator.ts';
import { type FlowStream, mostBuckets } from './waiting-flows.ts';

const time = { now: 1_800_000_000 };
const authority = issueCertificate({ commonName: 'signer', use: 'authority' }, Date.now());
const pair = (commonName: string) =>
  issueCertificate({ commonName, names: ['localhost', '127.0.0.1'], use: 'end' }, Date.now(), authority);

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function served(aggregator: Aggregator): Promise<ServedAggregator> {
  const { certificate, key } = pair('goldmane');
  const made = await serveAggregator(aggregator, {
    format: 'v3.30',
    certificates: { authority: authority.certificate, certificate, key },
    listen: '127.0.0.1:0',
  });
  open.push(made);
  return made;
}

function agent({ address }: ServedAggregator, shows: 'a pair' | 'nothing') {
  const { certificate, key } = pair('node');
  const own = shows === 'a pair' ? [Buffer.from(key), Buffer.from(certificate)] : [];
  const client = new Client(address ?? '', credentials.createSsl(Buffer.from(authority.certificate), ...own), {
    'grpc.enable_retries': 0,
    'grpc.ssl_target_name_override': 'localhost',
  });
  open.push(client);
  const method = servicesOf('v3.30').FlowCollector.Connect ?? expect.unreachable();
  const calls = client.makeBidiStreamRequest(method.path, method.requestSerialize, method.responseDeserialize);
  // The call breaks if the aggregator ends before it.
  return calls.on('error', () => undefined);
}

test('an agent gets a receipt for each report, and reports of several nodes are one flow', async () => {
  const aggregator = new Aggregator(() => time.now);
  const at = await served(aggregator);
  const labels = ['app=checkout', 'pod-template-hash=1'];
  for (const mine of [labels, ['app=checkout', 'pod-template-hash=2']]) {
    const calls = agent(at, 'a pair');
    const receipts: unknown[] = [];
    calls.on('data', (receipt) => receipts.push(receipt));
    for (let report = 0; report < 3; report++) {
      const { from } = aFlow();
      calls.write({ flow: writeFlow(aFlow({ start: time.now - 20 + report, from: { ...from, labels: mine } })) });
    }
    // An update without a flow gets a receipt too.
    calls.write({});
    await expect.poll(() => receipts.length).toBe(4);
    calls.end();
  }
  const listed = aggregator.list({ gte: 0, lt: 0 }, everyFlow, 0);
  expect(listed).toMatchObject([
    { flow: { connections: { started: 12 }, bytes: { in: 6000, out: 3000 }, from: { labels: ['app=checkout'] } } },
  ]);
});

test('who shows no certificate can report nothing', async () => {
  const aggregator = new Aggregator(() => time.now);
  const calls = agent(await served(aggregator), 'nothing');
  const failed = new Promise((resolve) => calls.on('error', resolve));
  calls.write({ flow: writeFlow(aFlow({ start: time.now - 20 })) });
  expect(await failed).toMatchObject({ code: 14 });
  expect(aggregator.list({ gte: 0, lt: 0 }, everyFlow, 0)).toEqual([]);
});

test('what is older than an hour or ahead of the clock is left out and counted, and an hour later all is forgotten', () => {
  const clock = { now: 1_800_000_000 };
  const aggregator = new Aggregator(() => clock.now);
  for (const start of [clock.now - 3700, clock.now - 3000, clock.now + 14, clock.now + 60])
    aggregator.add(aFlow({ start, port: start % 60_000 }));
  expect(aggregator.leftOut).toBe(2);
  clock.now += 30;
  expect(aggregator.list({ gte: 0, lt: 0 }, everyFlow, 0)).toHaveLength(2);
  clock.now += 3700;
  aggregator.turn();
  expect(aggregator.list({ gte: 0, lt: 0 }, everyFlow, 0)).toEqual([]);
});

type Made = { readonly one: Aggregator; tell(flows: number): void };

function made(quirks: ReadonlySet<QuirkId>): Made {
  const clock = { now: time.now };
  const one = new Aggregator(() => clock.now, quirks);
  const tell = (flows: number) => {
    for (let port = 1; port <= flows; port++) one.add(aFlow({ start: clock.now, port }));
    clock.now += 30;
    one.turn();
  };
  return { one, tell };
}

const hour = { gte: 0, lt: 0 };
const isRefused = (ask: () => unknown) => {
  try {
    ask();
    return false;
  } catch (error) {
    expect(error).toBeInstanceOf(AggregatorRefusal);
    return true;
  }
};
/** The ports that arrive at once, without waiting for more. */
async function portsOf(stream: FlowStream): Promise<number[]> {
  const ports: number[] = [];
  for (;;) {
    const next = await Promise.race([stream.next(), Promise.resolve(null)]);
    if (next === null) break;
    ports.push(next.flow.port);
  }
  stream.close();
  return ports;
}

const many = 6_000;
/** Whether a client observes each fault of an aggregator. */
const isSeen: Readonly<Record<QuirkId, (made: Made) => Promise<boolean>>> = {
  'sort-by-type': async ({ one, tell }) => {
    tell(1);
    const refused = [3, 6].map((sortBy) => isRefused(() => one.list(hour, everyFlow, sortBy)));
    expect(refused[0]).toBe(refused[1]);
    expect([0, 1, 2, 4, 5].some((sortBy) => isRefused(() => one.list(hour, everyFlow, sortBy)))).toBe(false);
    return refused[0] === true;
  },
  'slow-streams-drop': async ({ one, tell }) => {
    const slow = one.stream(0, everyFlow);
    tell(many);
    const ports = await portsOf(slow);
    // The client notices only the missing ports.
    expect(new Set(ports).size).toBe(ports.length);
    return ports.length < many;
  },
  'hundred-streams': async ({ one }) => {
    const streams = Array.from({ length: 100 }, () => one.stream(0, everyFlow));
    const isOneMoreRefused = isRefused(() => streams.push(one.stream(0, everyFlow)));
    streams.pop()?.close();
    expect(isRefused(() => streams.push(one.stream(0, everyFlow)))).toBe(false);
    for (const stream of streams) stream.close();
    return isOneMoreRefused;
  },
  'stream-again': async ({ one, tell }) => {
    tell(1);
    tell(2);
    const ports = await portsOf(one.stream(-600, everyFlow));
    // Only the newest bucket arrives again.
    expect([`1,1,2`, `1,1,2,1,2`]).toContain(ports.join());
    return ports.length > 3;
  },
  'past-of-history': async ({ one, tell }) => {
    tell(1);
    const isListRefused = isRefused(() => one.list({ gte: time.now - 7200, lt: 0 }, everyFlow, 0));
    const ports = await portsOf(one.stream(time.now - 7200, everyFlow));
    expect(ports.length === 0).toBe(isListRefused);
    return isListRefused;
  },
};

test.each([...goldmaneQuirks])(
  'of the faults of Calico’s own %s is there where it is asked for, and only there',
  async (id) => {
    for (const [fault, isThere] of Object.entries(isSeen))
      expect(await isThere(made(new Set([id]))), fault).toBe(fault === id);
  },
);

test('an aggregator of ours has none of them, and one like Calico’s all', async () => {
  for (const [fault, isThere] of Object.entries(isSeen)) {
    expect(await isThere(made(noQuirks)), fault).toBe(false);
    expect(await isThere(made(goldmaneQuirks)), fault).toBe(true);
  }
  for (const quirks of [noQuirks, goldmaneQuirks])
    expect(() => made(quirks).one.list({ gte: -10, lt: -20 }, everyFlow, 0)).toThrow('must be less');
});

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Streams of flows from now on. */
function reader({ address }: ServedAggregator) {
  const { certificate, key } = pair('reader');
  const client = new Client(
    address ?? '',
    credentials.createSsl(Buffer.from(authority.certificate), Buffer.from(key), Buffer.from(certificate)),
    { 'grpc.enable_retries': 0, 'grpc.ssl_target_name_override': 'localhost' },
  );
  open.push(client);
  const { path, requestSerialize, responseDeserialize } = servicesOf('v3.30').Flows.Stream ?? expect.unreachable();
  return () => {
    const message = { start_time_gte: 0, aggregation_interval: 15 };
    const call = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, message);
    const failed = new Promise((resolve) => call.on('error', resolve));
    return { call, failed };
  };
}

test('a reader that stops is ended with a sentence after five minutes, and keeps nothing in memory', async () => {
  const clock = { now: time.now };
  const aggregator = new Aggregator(() => clock.now);
  const streams = { begun: 0 };
  const stream = aggregator.stream.bind(aggregator);
  aggregator.stream = (...args) => {
    streams.begun++;
    return stream(...args);
  };
  const at = await served(aggregator);
  const { call, failed } = reader(at)();
  const { failed: quickFailed, call: quick } = reader(at)();
  // Left alone from the start, this client would take all that comes into a list of its own.
  call.once('data', () => call.pause());
  const quickPorts = new Set<unknown>();
  quick.on('data', ({ flow }) => quickPorts.add(readFlow(flow)?.port));
  await expect.poll(() => streams.begun).toBe(2);
  const labels = Array.from({ length: 100 }, (_, index) => `label-${index}=of a flow`);
  const added: WeakRef<object>[] = [];
  const perBucket = 200;
  const bucket = () => {
    for (let port = 1; port <= perBucket; port++) {
      const from = { ...aFlow().from, labels: [...labels] };
      added.push(new WeakRef(from));
      aggregator.add(aFlow({ start: clock.now, port: added.length, from }));
    }
    clock.now += 15;
    aggregator.turn();
  };
  for (let buckets = 0; buckets < mostBuckets + 4; buckets++) {
    bucket();
    const count = added.length;
    await expect.poll(() => quickPorts.size).toBeGreaterThanOrEqual(count - 2 * perBucket);
  }
  // The others that read go on.
  const later = added.length;
  clock.now += 3_700;
  aggregator.turn();
  bucket();
  clock.now += 30;
  aggregator.turn();
  await expect.poll(() => quickPorts.has(later + 1)).toBe(true);
  collectGarbage();
  // Only buckets in the buffers of the connection are still in memory.
  expect(added.slice(0, later).filter((ref) => ref.deref() !== undefined).length).toBeLessThan(2 * perBucket);

  call.resume();
  const unread = expect.stringContaining('its reader left 20 buckets of flows unread');
  expect(await failed).toMatchObject({ code: 8, details: unread });
  expect(await Promise.race([quickFailed, Promise.resolve('reads on')])).toBe('reads on');
});

test('who asks for one stream too many is told so', async () => {
  const at = await served(new Aggregator(() => time.now, new Set(['hundred-streams'])));
  const stream = reader(at);
  const first = Array.from({ length: 100 }, stream);
  const last = stream();
  for (const { call } of [...first, last]) call.on('data', () => undefined);
  expect(await last.failed).toMatchObject({ code: 8, details: expect.stringContaining('too many streams') });
});
