import { expect, test } from 'vitest';
import type { Subject } from '#lib/facts/index.ts';
import { createStore, type KubeObject, type Store } from '#lib/kube/index.ts';
import { aPlan } from '#lib/plan/testing/a-cluster.ts';
import { journalSchema } from '../model/journal.ts';
import { insideStep } from './inside-step.ts';

const startedAt = '2026-01-01T00:00:00Z';
const plan = aPlan();
const seqOf = (id: string) => plan.operations.find((operation) => operation.id === id)?.seq ?? 0;
const journal = journalSchema.parse({
  apiVersion: 'signalbox.dev/v1',
  kind: 'Journal',
  run: 'r',
  goal: 'enable',
  cluster: 'c',
  planHash: plan.hash,
  startedAt,
  startedBy: 'i/p',
  state: { kind: 'running', direction: 'forward' },
  accepted: [],
  entries: [],
});

const selector = { matchLabels: { 'k8s-app': 'calico-node' } };
const agents: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'calico-node', namespace: 'calico-system', generation: 2 },
  spec: { selector },
  status: { observedGeneration: 2, desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 1 },
};
const pod = (node: string, ready: boolean): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `calico-node-${node}`, namespace: 'calico-system', labels: selector.matchLabels },
  spec: { nodeName: node, containers: [{ name: 'calico-node' }] },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
});
const event = (name: string, at: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: `${name}.${at}`.toLowerCase().replaceAll(':', ''), namespace: 'calico-system' },
  involvedObject: { kind: 'Pod', name },
  type: 'Warning',
  reason: 'Unhealthy',
  message: 'Readiness probe failed',
  lastTimestamp: at,
});
const heldUpBy: Subject[] = [{ kind: 'Node', namespace: null, name: 'w-2', detail: 'is not ready' }];
const installation: KubeObject = {
  apiVersion: 'operator.tigera.io/v1',
  kind: 'Installation',
  metadata: { name: 'default' },
  spec: { calicoNetwork: { linuxDataplane: 'BPF' } },
};

function aStore(log: string): Store {
  return createStore({
    name: 'c',
    source: 'sandbox',
    objects: [
      agents,
      installation,
      pod('w-1', true),
      pod('w-2', false),
      event('calico-node-w-2', '2026-01-01T00:00:30Z'),
      event('calico-node-w-2', '2025-12-31T23:00:00Z'),
    ],
    pods: { logs: async () => log },
  });
}

const inside = (kube: Parameters<typeof insideStep>[0], id: string, held = heldUpBy) =>
  insideStep(kube, { plan, journal, seq: seqOf(id), heldUpBy: held }, new AbortController().signal);

test('a step that waits shows its objects, the pod that holds it up with its last lines, and its events since the start', async () => {
  const found = await inside(aStore('one\ntwo\n\nthree\n'), 'bpf.active');
  expect(found?.objects).toContainEqual({
    object: 'calico-system/DaemonSet/calico-node',
    says: 'all 2 have restarted, 1 is ready',
    state: 'now',
  });
  expect(found?.pods).toMatchObject([{ pod: 'calico-node-w-2', node: 'w-2', lines: ['one', 'two', 'three'] }]);
  expect(found?.events.map(({ at, reason }) => [at, reason])).toEqual([['2026-01-01T00:00:30Z', 'Unhealthy']]);
  expect(found?.notRead).toEqual([]);
});

test('a step that writes shows the fields that it is about, and no logs', async () => {
  const found = await inside(aStore('secret'), 'switch.bpf', []);
  expect(found?.objects).toContainEqual({
    object: 'Installation/default',
    says: 'linuxDataplane BPF',
    state: 'ok',
  });
  expect([found?.pods, found?.diff]).toEqual([[], plan.operations.find(({ id }) => id === 'switch.bpf')?.diff]);
});

test('a log is bounded, and what looks like a secret in it is masked', async () => {
  const endless = [...Array.from({ length: 500 }, (_, index) => `line ${index}`), `x${'y'.repeat(10_000)}`];
  const found = await inside(
    aStore([...endless, 'Authorization: Bearer abcdefghijklmnopqrstuvwxyz'].join('\n')),
    'bpf.active',
  );
  const lines = found?.pods[0]?.lines ?? [];
  expect(lines).toHaveLength(12);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(400);
  expect(lines.at(-1)).not.toContain('abcdefghij');
});

test('of a private key in a log no line is shown, wherever the lines that were asked for begin', async () => {
  const body = Array.from({ length: 25 }, (_, index) => `MIIEpAIBAAKCAQEA${index}${'q7Rt'.repeat(11)}`);
  const key = ['-----BEGIN RSA PRIVATE KEY-----', ...body, '-----END RSA PRIVATE KEY-----'];
  for (const log of [key, key.slice(1), [...key.slice(3), 'after'], key.slice(0, -1)]) {
    const found = await inside(aStore(log.join('\n')), 'bpf.active');
    expect(found?.pods[0]?.lines.join('\n')).not.toContain('q7Rt');
    expect(found?.pods[0]?.lines.join('\n')).toContain('looks like a private key');
  }
});

test('a log that was cut before its end says so', async () => {
  const found = await inside(aStore(`${'x'.repeat(1_000)}\n`.repeat(300)), 'bpf.active');
  expect(found?.pods[0]?.because).toContain('newest lines are missing');
});

test('ready pods hold nothing up unless they are named, and one with a fault comes first', async () => {
  const failing = pod('w-2', false);
  const status = {
    ...(failing.status as object),
    containerStatuses: [{ name: 'calico-node', ready: false, state: { waiting: { reason: 'ImagePullBackOff' } } }],
  };
  const second = { ...failing, metadata: { ...failing.metadata, name: 'a-second' } };
  const kube = createStore({
    name: 'c',
    source: 'sandbox',
    objects: [agents, pod('w-1', true), second, { ...failing, status }],
    pods: { logs: async () => 'x' },
  });
  const node = (name: string): Subject => ({ kind: 'Node', namespace: null, name, detail: '' });
  const podsFor = async (...held: Subject[]) =>
    (await inside(kube, 'bpf.active', held))?.pods.map(({ pod: name }) => name);
  expect(await podsFor(node('w-1'), node('w-2'))).toEqual(['calico-node-w-2', 'a-second']);
  expect(await podsFor({ ...node('calico-node-w-1'), kind: 'Pod' })).toEqual(['calico-node-w-1']);
});

test('the newest of many events are shown, and where there are more than are read this is said', async () => {
  const second = (index: number) => new Date(Date.parse(startedAt) + index * 1000).toISOString();
  // Names in reverse, so that the newest comes last in the list.
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => {
      const one = event('calico-node-w-2', second(index));
      return { ...one, metadata: { ...one.metadata, name: `e-${String(index).padStart(6, '0')}` } };
    });
  const found = async (count: number) => {
    const objects = [agents, pod('w-2', false), ...many(count)];
    const kube = createStore({ name: 'c', source: 'sandbox', objects, pods: { logs: async () => 'x' } });
    return inside(kube, 'bpf.active');
  };
  expect((await found(700))?.events.at(0)?.at).toBe(second(699));
  expect((await found(700))?.notRead).toEqual([]);
  expect((await found(5_001))?.notRead.join()).toContain('Pod/calico-node-w-2');
});

test('what may not be read is told in sentences, and the rest is shown', async () => {
  const kube = aStore('x').as({
    name: 'eve',
    rules: [{ verbs: ['get'], groups: ['*'], resources: ['daemonsets'] }],
  });
  const found = await inside(kube, 'bpf.active');
  expect(found?.objects.map(({ object }) => object)).toEqual(['calico-system/DaemonSet/calico-node']);
  expect(found?.pods).toEqual([]);
  expect(found?.notRead.join('\n')).toContain('list resource "events"');
  expect(found?.notRead.every((one) => /"eve" cannot (get|list)/.test(one))).toBe(true);
});

test('a log that may not be read is told with its pod', async () => {
  const store = aStore('x');
  const kube = store.as({
    name: 'eve',
    rules: [{ verbs: ['get', 'list'], groups: ['*'], resources: ['daemonsets', 'pods'] }],
  });
  const found = await inside(kube, 'bpf.active');
  expect(found?.pods[0]?.lines).toEqual([]);
  expect(found?.pods[0]?.because).toContain('pods/log');
});

test('a plan has no other steps than its own', async () => {
  expect(
    await insideStep(aStore(''), { plan, journal, seq: 99, heldUpBy: [] }, new AbortController().signal),
  ).toBeNull();
});
