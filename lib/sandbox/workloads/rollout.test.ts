import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { KubeError } from '#lib/kube/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { sixNodes } from '../templates/cluster-shape.ts';
import { openTestCluster, type TestCluster } from '../test-cluster.ts';
import { holdAnnotation } from './kubelets.ts';

let cluster: TestCluster;
afterEach(() => cluster?.close());

type Counters = Record<string, number | undefined>;

/**
 * The stages of a rollout, `updated/available`, while every node has its pod. Moments in which a node has none are left out, because a watch sees
 * them or not within milliseconds, in the recordings too.
 */
function milestones(statuses: readonly Counters[]): string[] {
  const seen = statuses
    .filter(({ currentNumberScheduled, desiredNumberScheduled }) => currentNumberScheduled === desiredNumberScheduled)
    .map(({ updatedNumberScheduled = 0, numberAvailable = 0 }) => `${updatedNumberScheduled}/${numberAvailable}`);
  return seen.filter((each, index) => each !== seen[index - 1]);
}

function statusesOf({ writes }: TestCluster, name: string): Counters[] {
  return writes
    .filter(({ object }) => object.kind === 'DaemonSet' && object.metadata.name === name)
    .filter(({ object }) => (object.status as Counters).observedGeneration === object.metadata.generation)
    .map(({ object }) => object.status as Counters);
}

const agents = { resource: resources.daemonSets, namespace: names.calicoNamespace, name: names.nodeDaemonSet };
const proxies = { resource: resources.daemonSets, namespace: names.systemNamespace, name: names.kubeProxyDaemonSet };
const proxySelector = (value: string | null) => ({
  type: 'merge' as const,
  body: { spec: { template: { spec: { nodeSelector: { [names.nonCalicoSelector]: value } } } } },
});

/** Recorded in endpoint-configmap-3.31.4.jsonl, after each change of the endpoint (t=44.06, 94.17) and the operator's restart (189.43). */
const recordedRollout = ['0/4', '1/3', '1/4', '2/3', '2/4', '3/3', '3/4', '4/3', '4/4'];
/** Recorded in install-enable-rollback-3.31.4.jsonl, t=108.42 and 144.05: kube-proxy turned off, and back. */
const recordedProxyOff = { desiredNumberScheduled: 0, numberReady: 0, numberMisscheduled: 0 };

test('a new template rolls one node after the other, with the counters of the recordings', async () => {
  cluster = await openTestCluster({ nodes: sixNodes().slice(0, 4) });
  await cluster.rollAgents('10.0.0.11');
  await cluster.clock.sleep(60_000);
  expect(milestones(statusesOf(cluster, names.nodeDaemonSet))).toEqual(recordedRollout);
  for (const status of statusesOf(cluster, names.nodeDaemonSet)) expect(status.numberUnavailable ?? 0).toBeLessThan(2);
});

test('the recordings say what the table above says', () => {
  const file = join(process.env.SIGNALBOX_RECORDINGS_DIR ?? '', 'endpoint-configmap-3.31.4.jsonl');
  if (!process.env.SIGNALBOX_RECORDINGS_DIR || !existsSync(file)) {
    expect(process.env.CI, 'SIGNALBOX_RECORDINGS_DIR is not set').not.toBe('true');
    return;
  }
  const events = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"calico-node"') && line.includes('"DaemonSet"'))
    .map((line) => JSON.parse(line).object);
  for (const generation of [2, 3, 4]) {
    const statuses = events
      .filter((object) => object.metadata.name === 'calico-node' && object.status.observedGeneration === generation)
      .map((object) => object.status);
    expect(milestones(statuses)).toEqual(recordedRollout);
  }
});

test('nodes are taken by name, and each gets its pod of the new revision back before the next', async () => {
  cluster = await openTestCluster();
  await cluster.rollAgents('10.0.0.11');
  await cluster.clock.sleep(60_000);
  const deletedPods = cluster.writes.filter(({ type, object }) => type === 'deleted' && object.kind === 'Pod');
  expect(deletedPods.map(({ object }) => (object.spec as { nodeName: string }).nodeName)).toEqual(
    sixNodes().map(({ name }) => name),
  );
});

test('a node that is held back stops the rollout there', async () => {
  cluster = await openTestCluster();
  await cluster.annotateNode('worker-2', { [holdAnnotation]: '' });
  await cluster.rollAgents('10.0.0.11');
  await cluster.clock.sleep(300_000);
  expect((await cluster.kube.get(agents))?.status).toMatchObject({
    updatedNumberScheduled: 3,
    numberAvailable: 5,
    numberUnavailable: 1,
  });

  await cluster.annotateNode('worker-2', { [holdAnnotation]: null });
  await cluster.clock.sleep(60_000);
  expect((await cluster.kube.get(agents))?.status).toMatchObject({ updatedNumberScheduled: 6, numberAvailable: 6 });
});

test('a wrong endpoint stops at the first node, which crashes in install-cni; the right one fixes it', async () => {
  cluster = await openTestCluster();
  await cluster.rollAgents('10.9.9.9');
  await cluster.clock.sleep(300_000);
  expect((await cluster.kube.get(agents))?.status).toMatchObject({ updatedNumberScheduled: 1, numberAvailable: 5 });
  const pod = await cluster.podOn('control-1', names.nodeDaemonSet);
  expect(pod.status).toMatchObject({
    phase: 'Pending',
    initContainerStatuses: [
      { name: 'flexvol-driver', ready: true },
      { name: 'ebpf-bootstrap', ready: true },
      { name: 'install-cni', ready: false, restartCount: 5, state: { waiting: { reason: 'CrashLoopBackOff' } } },
    ],
  });

  await cluster.rollAgents('10.0.0.11');
  await cluster.clock.sleep(60_000);
  expect((await cluster.kube.get(agents))?.status).toMatchObject({ updatedNumberScheduled: 6, numberAvailable: 6 });
});

test('only stated endpoints answer where a sample states them', async () => {
  cluster = await openTestCluster({ answers: ['10.0.0.11:6443'] });
  await cluster.rollAgents('api.sandbox.example');
  await cluster.clock.sleep(60_000);
  expect((await cluster.kube.get(agents))?.status).toMatchObject({ updatedNumberScheduled: 1, numberAvailable: 5 });
});

test('kube-proxy turned off: nothing desired, no pod left; asked back: every node has one', async () => {
  cluster = await openTestCluster();
  await cluster.kube.patch(proxies, proxySelector('true'));
  await cluster.clock.sleep(10_000);
  expect((await cluster.kube.get(proxies))?.status).toMatchObject(recordedProxyOff);
  expect(await cluster.list(resources.pods, 'k8s-app=kube-proxy')).toEqual([]);

  await cluster.kube.patch(proxies, proxySelector(null));
  await cluster.clock.sleep(10_000);
  expect((await cluster.kube.get(proxies))?.status).toMatchObject({ desiredNumberScheduled: 6, numberAvailable: 6 });
});

test('a node that is deleted takes its pods along, and nothing waits for it', async () => {
  cluster = await openTestCluster();
  await cluster.kube.delete({ resource: resources.nodes, name: 'worker-5' });
  await cluster.clock.sleep(10_000);
  expect((await cluster.kube.get(agents))?.status).toMatchObject({ desiredNumberScheduled: 5, numberAvailable: 5 });
  const pods = await cluster.list(resources.pods);
  expect(pods.filter(({ spec }) => (spec as { nodeName?: string }).nodeName === 'worker-5')).toEqual([]);
});

test('a new node gets the pods that it is owed', async () => {
  cluster = await openTestCluster({ nodes: sixNodes().slice(0, 5) });
  const { aNode } = await import('../builders.ts');
  const { uid: _, ...metadata } = aNode({ name: 'worker-9', address: '10.0.0.99' }).metadata;
  await cluster.kube.create(resources.nodes, { ...aNode({ name: 'worker-9', address: '10.0.0.99' }), metadata });
  await cluster.clock.sleep(10_000);
  expect((await cluster.kube.get(agents))?.status).toMatchObject({ desiredNumberScheduled: 6, numberAvailable: 6 });
  expect((await cluster.podOn('worker-9', names.nodeDaemonSet)).status).toMatchObject({ podIP: '10.0.0.99' });
});

test('an API server that is away for 20 s delays a rollout and breaks nothing', async () => {
  cluster = await openTestCluster();
  await cluster.rollAgents('10.0.0.11');
  await cluster.clock.sleep(1_000);
  const back = cluster.clock.now() + 20_000;
  cluster.store.intercept(async (_call, proceed) => {
    if (cluster.clock.now() < back) throw new KubeError('unreachable', 'connection refused');
    await proceed();
  });
  await cluster.clock.sleep(80_000);
  expect((await cluster.kube.get(agents))?.status).toMatchObject({ updatedNumberScheduled: 6, numberAvailable: 6 });
});

test('a node that stops being ready takes its pods out of service; a rollout stands still on it', async () => {
  cluster = await openTestCluster();
  const ready = (status: string) =>
    cluster.kube.patch(
      { resource: resources.nodes, name: 'worker-1' },
      {
        type: 'merge',
        body: { status: { conditions: [{ type: 'Ready', status, lastTransitionTime: '2026-01-01T00:00:00Z' }] } },
      },
      { subresource: 'status' },
    );
  await ready('False');
  await cluster.clock.sleep(5_000);
  expect((await cluster.kube.get(agents))?.status).toMatchObject({ numberAvailable: 5 });

  await cluster.rollAgents('10.0.0.11');
  await cluster.clock.sleep(300_000);
  expect((await cluster.kube.get(agents))?.status).toMatchObject({ numberUnavailable: 1, updatedNumberScheduled: 2 });

  await ready('True');
  await cluster.clock.sleep(60_000);
  expect((await cluster.kube.get(agents))?.status).toMatchObject({ updatedNumberScheduled: 6, numberAvailable: 6 });
});
