import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { duplexPair } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { systemClock } from '#lib/kube/index.ts';
import { goldmaneQuirks } from '../aggregator/quirks.ts';
import type { Flow } from '../flow.ts';
import { everyFlow } from '../flow-filter.ts';
import { aFlow, aHit } from '../testing/a-flow.ts';
import { aFlowCluster, type FlowCluster } from '../testing/a-flow-cluster.ts';
import { wireFormats } from '../wire/wire-format.ts';
import { openFlowClient } from './flow-client.ts';
import { type FollowOptions, followFlows } from './follow-flows.ts';

const clusters: FlowCluster[] = [];
const stops: AbortController[] = [];
const followers: AsyncGenerator[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const stop of stops.splice(0)) stop.abort();
  // A generator keeps its connection until `return` is called, even if nothing reads it.
  for (const flows of followers.splice(0)) await flows.return(undefined);
  for (const cluster of clusters.splice(0)) await cluster.close();
});
async function cluster(options: Parameters<typeof aFlowCluster>[0] = {}) {
  const made = await aFlowCluster(options);
  clusters.push(made);
  return made;
}
function stopper() {
  const stop = new AbortController();
  stops.push(stop);
  return stop;
}
function following(open: FollowOptions['open']) {
  const { signal } = stopper();
  const clock: FollowOptions['clock'] = { sleep: (_ms, stop) => systemClock.sleep(20, stop) };
  const flows = followFlows({ open, filter: everyFlow, sinceSeconds: 600, clock, signal });
  followers.push(flows);
  return flows;
}
const wholeHour = { gte: 0, lt: 0 };

test.each(wireFormats.map((format) => ({ format, version: `${format}.1` })))(
  'what agents reported is listed, by the wire of $format',
  async ({ version, format }) => {
    const { kube, aggregator, time } = await cluster({ version });
    const start = time.now - 60;
    const { trigger: _, ...trigger } = aHit();
    const denied = aFlow({
      start,
      verdict: 'denied',
      policies: {
        enforced: [aHit({ action: 'denied', kind: 'EndOfTier', trigger })],
        pending: [aHit({ kind: 'StagedGlobalNetworkPolicy', ruleIndex: -1 })],
      },
    });
    aggregator().add(denied);
    aggregator().add(aFlow({ start, port: 53, protocol: 'UDP', service: null }));
    const client = await openFlowClient(kube);
    expect(client.format).toBe(format);
    expect(await client.list(wholeHour, { ...everyFlow, verdicts: ['denied'] })).toEqual([
      { ...denied, id: expect.any(String) },
    ]);
    const byPolicy = { kind: null, tier: 'default', namespace: '', name: 'ledger-db', action: null };
    expect(await client.list(wholeHour, { ...everyFlow, policies: [byPolicy] })).toHaveLength(2);
    expect(await client.list(wholeHour, { ...everyFlow, policies: [{ ...byPolicy, tier: 'other' }] })).toEqual([]);
    expect(await client.hints('destNamespace')).toEqual(['payments']);
    expect(await client.statistics(wholeHour)).toContainEqual(
      expect.objectContaining({
        direction: 'egress',
        denied: [15],
        policy: expect.objectContaining({ kind: 'CalicoNetworkPolicy', name: 'ledger-db' }),
      }),
    );
    await client.close();
  },
);

test('more flows than a page are all listed, once', async () => {
  const { kube, aggregator, time } = await cluster({ way: 'memory' });
  for (let port = 1; port <= 4_500; port++) aggregator().add(aFlow({ start: time.now - 60, port }));
  const client = await openFlowClient(kube);
  const ports = (await client.list(wholeHour, everyFlow)).map(({ port }) => port);
  expect(new Set(ports).size).toBe(4_500);
  expect(ports).toHaveLength(4_500);
  await client.close();
});

test.each([
  ['markup', '<img src=x onerror=alert(1)>'],
  ['a megabyte', 'x'.repeat(1_000_000)],
  ['control characters', 'a\u0000\u001b[31m\u202eb'],
])('labels and names of %s come as text, and bounded', async (_, hostile) => {
  const { kube, aggregator, time } = await cluster();
  aggregator().add(
    aFlow({
      start: time.now - 60,
      from: { kind: 'workload', namespace: hostile, name: hostile, labels: Array(20).fill(`app=${hostile}`) },
    }),
  );
  const client = await openFlowClient(kube);
  const [flow] = await client.list(wholeHour, everyFlow);
  expect(flow?.from.name.slice(0, 10)).toBe(hostile.slice(0, 10));
  expect(flow?.from.name.length).toBeLessThan(600);
  expect(flow?.from.labels[0]?.length).toBeLessThan(600);
  await client.close();
});

const refusals: [string, string, (of: FlowCluster) => Promise<unknown> | unknown, RegExp][] = [
  [
    'without a Goldmane',
    'not-enabled',
    ({ kube }) => kube.delete({ resource: kind('operator.tigera.io', 'Goldmane'), name: 'default' }),
    /not enabled[\s\S]*restarts calico-node on every node[\s\S]*signalbox apply --goal flow-logs/,
  ],
  [
    'Enterprise',
    'enterprise',
    ({ kube }) => kube.load([installation({ spec: { variant: 'TigeraSecureEnterprise' } })]),
    /Calico Enterprise.*Manager/,
  ],
  [
    'before v3.30',
    'too-old',
    ({ kube }) => kube.load([installation({ status: { calicoVersion: 'v3.29.7' } })]),
    /v3\.30.*v3\.29\.7.*Upgrade/,
  ],
  [
    'no Installation',
    'no-operator',
    ({ kube }) => kube.delete({ resource: kind('operator.tigera.io', 'Installation'), name: 'default' }),
    /operator/,
  ],
  [
    'a pod that does not run',
    'not-ready',
    ({ kube }) => kube.load([{ ...podOf(kube), status: { phase: 'Pending' } }]),
    /its pod is Pending[\s\S]*kubectl/,
  ],
  [
    'no bundle',
    'certificates',
    ({ kube }) => kube.delete({ ...inCalico, resource: kind('', 'ConfigMap'), name: 'goldmane-ca-bundle' }),
    /no certificate authority/,
  ],
  [
    'no pair',
    'certificates',
    ({ kube }) => kube.delete({ ...inCalico, resource: kind('', 'Secret'), name: 'whisker-backend-key-pair' }),
    /There is no certificate for the aggregator/,
  ],
];
test.each(refusals)('%s: says so, and what to do', async (_name, code, change, sentence) => {
  const made = await cluster({ way: 'memory' });
  await change(made);
  await expect(openFlowClient(made.kube)).rejects.toMatchObject({ code, message: expect.stringMatching(sentence) });
});

test.each([
  ['secrets', 'get', /You may not read Secret whisker-backend-key-pair or node-certs/],
  [
    'goldmanes',
    'get',
    /You may not read what flow logs need .* signalbox-enable-flows, one of those that this prints:\n\n {2}signalbox rbac$/,
  ],
])('who may not read %s is told which right is missing', async (plural, verb, sentence) => {
  const { kube } = await cluster({ way: 'memory' });
  const refused = kube.intercept(async (call, proceed) => {
    if (call.resource === plural && call.verb === verb) {
      const { KubeError } = await import('#lib/kube/index.ts');
      throw new KubeError('forbidden', `${plural} is forbidden`, { rule: call });
    }
    await proceed();
  });
  await expect(openFlowClient(kube)).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringMatching(sentence),
  });
  refused();
});

test('a certificate for another name, or of another authority, is not talked to, and no key is told', async () => {
  const stray = await cluster({ shownFor: ['elsewhere.example'] });
  await expect(openFlowClient(stray.kube)).rejects.toMatchObject({ code: 'certificates' });

  const one = await cluster();
  const other = await cluster();
  one.kube.load([{ ...bundle, data: { 'tigera-ca-bundle.crt': other.authority().certificate } }]);
  const error = await openFlowClient(one.kube).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: 'certificates', message: expect.stringMatching(/does not verify/) });
  expect(JSON.stringify(error) + String((error as Error).cause)).not.toMatch(/PRIVATE KEY/);
});

test.each([
  ['a pair that cannot be used', (made: FlowCluster) => made.kube.load([pairOf(made, 'no certificate')])],
  ['no answer', (made: FlowCluster) => made.close()],
])('%s: nothing of the connection is left when its error is told', async (_, change) => {
  vi.stubEnv('TMPDIR', testFolder('flow-client'));
  const made = await cluster();
  await change(made);
  await expect(openFlowClient(made.kube)).rejects.toThrow();
  expect(readdirSync(tmpdir())).toEqual([]);
});

test('what follows does not say that it is connected before it was answered', async () => {
  const stray = await cluster({ shownFor: ['elsewhere.example'], way: 'memory' });
  const { signal } = stopper();
  const followed = (kube: FlowCluster['kube']) =>
    followFlows({
      open: (stop) => openFlowClient(kube, stop),
      filter: everyFlow,
      sinceSeconds: 60,
      clock: { sleep: () => Promise.resolve() },
      signal,
    });
  const flows = followed(stray.kube);
  for (let event = 0; event < 2; event++)
    expect((await flows.next()).value).toMatchObject({ type: 'interrupted', error: { code: 'certificates' } });
  const { KubeError } = await import('#lib/kube/index.ts');
  const forward = () => Promise.reject(new KubeError('forbidden', 'pods/portforward is forbidden'));
  const refused = new Proxy(stray.kube, {
    get: (kube, key) => (key === 'portForward' ? forward : Reflect.get(kube, key)),
  });
  await expect(followed(refused).next()).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringMatching(/may not forward a port/),
  });
});

test('who shows no certificate of the cluster is not let in', async () => {
  const made = await cluster();
  const other = await cluster();
  const strangers = await secretOf(other);
  made.kube.load([strangers]);
  await expect(openFlowClient(made.kube)).rejects.toMatchObject({
    code: expect.stringMatching(/certificates|unreachable/),
  });
});

/** Adds one flow and ends its bucket. */
async function nextBucket({ aggregator, time }: FlowCluster, port: number) {
  aggregator().add(aFlow({ start: time.now, port }));
  time.now += 15;
  aggregator().turn();
}

async function take(flows: AsyncGenerator<unknown>, count: number, seen: { type: string; flow?: Flow }[]) {
  while (seen.filter(({ type }) => type === 'flow').length < count) {
    const next = await flows.next();
    if (next.done) break;
    seen.push(next.value as { type: string; flow: Flow });
  }
}

test.each([
  ['that is cut', (of: FlowCluster) => of.cut()],
  ['whose certificates rotate', (of: FlowCluster) => of.rotate()],
])('a stream %s goes on, each flow once', async (_, disturb) => {
  const made = await cluster({ quirks: goldmaneQuirks });
  const flows = following((stop) => openFlowClient(made.kube, stop));
  const seen: { type: string; flow?: Flow }[] = [];
  let port = 1;
  for (; port <= 5; port++) await nextBucket(made, port);
  await nextBucket(made, port++);
  await take(flows, 3, seen);
  await disturb(made);
  for (; port <= 9; port++) await nextBucket(made, port);
  await take(flows, 7, seen);
  await disturb(made);
  for (; port <= 12; port++) await nextBucket(made, port);
  await take(flows, 10, seen);
  const ports = seen.flatMap(({ flow }) => (flow ? [flow.port] : []));
  expect(ports).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(seen.some(({ type }) => type === 'interrupted')).toBe(true);
});

test('a pod that is replaced leaves a gap, which is said, and the stream goes on', async () => {
  const made = await cluster();
  const flows = following((stop) => openFlowClient(made.kube, stop));
  const seen: { type: string; flow?: Flow }[] = [];
  for (let port = 1; port <= 4; port++) await nextBucket(made, port);
  await take(flows, 2, seen);
  await made.replacePod();
  for (let port = 21; port <= 24; port++) await nextBucket(made, port);
  await take(flows, 5, seen);
  const order = seen
    .map(({ type, flow }) => flow?.port ?? type)
    .filter((one) => one === 'gap' || typeof one === 'number');
  // The third may or may not have been sent before the pod ended.
  expect(order.filter((one) => one !== 3).slice(0, 5)).toEqual([1, 2, 'gap', 21, 22]);
});

test('a connection that is gone without a word is noticed, and the stream goes on, each flow once', async () => {
  const made = await cluster();
  const ways: { isGone: boolean }[] = [];
  /** Simulates a proxy that has forgotten a connection: nothing arrives any more, and nobody is notified. */
  const forward: NonNullable<typeof made.kube.portForward> = async (...args) => {
    const way = { isGone: false };
    ways.push(way);
    const [near, far] = duplexPair();
    const real = (await made.kube.portForward?.(...args)) ?? expect.unreachable();
    for (const [from, to] of [[far, real] as const, [real, far] as const])
      from.on('error', () => undefined).on('data', (part) => way.isGone || to.write(part));
    real.on('close', () => way.isGone || far.destroy());
    far.on('close', () => real.destroy());
    return near;
  };
  const kube = new Proxy(made.kube, {
    get: (of, key) => (key === 'portForward' ? forward : Reflect.get(of, key)),
  });
  const flows = following((stop) => openFlowClient(kube, stop, { answersWithinMs: 2_000, silentMs: 100 }));
  const seen: { type: string; flow?: Flow; error?: unknown }[] = [];
  for (let port = 1; port <= 4; port++) await nextBucket(made, port);
  await take(flows, 2, seen);
  for (const way of ways) way.isGone = true;
  for (let port = 5; port <= 7; port++) await nextBucket(made, port);
  await take(flows, 5, seen);
  expect(seen.flatMap(({ flow }) => (flow ? [flow.port] : []))).toEqual([1, 2, 3, 4, 5]);
  expect(seen.find(({ type }) => type === 'interrupted')).toMatchObject({ error: { code: 'unreachable' } });
});

test('two clients see the same, and one that reads slowly holds up nobody', async () => {
  const made = await cluster({ way: 'memory' });
  const stop = stopper();
  const [slow, quick] = await Promise.all([openFlowClient(made.kube), openFlowClient(made.kube)]);
  // More than the flow-control windows of both connections hold.
  const many = 3_000;
  for (let port = 1; port <= many; port++) made.aggregator().add(aFlow({ start: made.time.now - 60, port }));
  made.aggregator().turn();
  made.time.now += 30;
  made.aggregator().turn();
  const held = slow.stream(-600, everyFlow, stop.signal);
  await held.next();
  let count = 0;
  for await (const _ of quick.stream(-600, everyFlow, stop.signal)) if (++count === many) break;
  expect(count).toBe(many);
  for (count = 1; count < many; count++) await held.next();
  expect(count).toBe(many);
  stop.abort();
  await Promise.all([slow.close(), quick.close()]);
});

test('an aggregator whose clock is a day off is followed by its own clock', async () => {
  const made = await cluster();
  made.time.now -= 86_400;
  await made.replacePod();
  for (let port = 1; port <= 4; port++) await nextBucket(made, port);
  const client = await openFlowClient(made.kube);
  expect(await client.list({ gte: -600, lt: 0 }, everyFlow)).toHaveLength(4);
  const stop = stopper();
  const stream = client.stream(-600, everyFlow, stop.signal);
  expect((await stream.next()).value).toMatchObject({ port: 1 });
  stop.abort();
  await client.close();
});

const inCalico = { namespace: 'calico-system' };
const bundle = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { ...inCalico, name: 'goldmane-ca-bundle' },
};
function kind(group: string, name: string) {
  return { group, version: 'v1', kind: name, plural: `${name.toLowerCase()}s`, namespaced: group === '' };
}
function installation(changed: object) {
  return {
    apiVersion: 'operator.tigera.io/v1',
    kind: 'Installation',
    metadata: { name: 'default' },
    spec: { variant: 'Calico' },
    status: { calicoVersion: 'v3.31.4' },
    ...changed,
  };
}
function podOf(kube: FlowCluster['kube']) {
  const found = kube.snapshot().objects.find((object) => object.kind === 'Pod');
  return found ?? expect.unreachable();
}
async function secretOf({ kube }: FlowCluster) {
  const found = kube.snapshot().objects.find((object) => object.kind === 'Secret');
  return found ?? expect.unreachable();
}
function pairOf({ kube }: FlowCluster, content: string) {
  const pair = kube.snapshot().objects.find((object) => object.kind === 'Secret') ?? expect.unreachable();
  const data = {
    'tls.crt': Buffer.from(content).toString('base64'),
    'tls.key': Buffer.from(content).toString('base64'),
  };
  return { ...pair, data };
}
