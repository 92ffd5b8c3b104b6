import { Client, credentials } from '@grpc/grpc-js';
import { afterEach, expect, test } from 'vitest';
import { issueCertificate } from '#lib/base/certificates.ts';
import { everyFlow } from '../flow-filter.ts';
import { aFlow } from '../testing/a-flow.ts';
import { servicesOf } from '../wire/wire-format.ts';
import { writeFlow } from '../wire/write-flow.ts';
import { Aggregator } from './aggregator.ts';
import { goldmaneQuirks } from './quirks.ts';
import { type ServedAggregator, serveAggregator } from './serve-aggregator.ts';

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
  // It breaks where the aggregator ends before it.
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
    // Says nothing, and is received all the same.
    calls.write({});
    await expect.poll(() => receipts.length).toBe(4);
    calls.end();
  }
  const told = aggregator.list({ gte: 0, lt: 0 }, everyFlow, 0);
  expect(told).toMatchObject([
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

test('the faults of Calico’s own are there where they are asked for, and only there', async () => {
  const [ours, theirs] = [new Aggregator(() => time.now), new Aggregator(() => time.now, goldmaneQuirks)];
  for (const one of [ours, theirs]) one.add(aFlow({ start: time.now - 60 }));
  const hour = { gte: 0, lt: 0 };
  expect(ours.list(hour, everyFlow, 3)).toHaveLength(1);
  expect(() => theirs.list(hour, everyFlow, 3)).toThrow('unsupported sort order');
  const long = { gte: time.now - 7200, lt: 0 };
  expect(ours.list(long, everyFlow, 0)).toHaveLength(1);
  expect(() => theirs.list(long, everyFlow, 0)).toThrow('failed to find bucket');
  for (const one of [ours, theirs]) expect(() => one.list({ gte: -10, lt: -20 }, everyFlow, 0)).toThrow('must be less');
  const twice = async (one: Aggregator) => {
    const stream = one.stream(-600, everyFlow);
    const first = await stream.next();
    const second = await Promise.race([stream.next(), Promise.resolve('nothing')]);
    stream.close();
    return [first, second];
  };
  const [one, again] = await twice(theirs);
  expect(again).toEqual(one);
  expect((await twice(ours))[1]).toBe('nothing');
  const streams = Array.from({ length: 100 }, () => theirs.stream(0, everyFlow));
  expect(() => theirs.stream(0, everyFlow)).toThrow('too many');
  for (const stream of streams) stream.close();
});
