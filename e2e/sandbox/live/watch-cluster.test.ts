import { afterEach, expect, test } from 'vitest';
import { planeStateWords } from '#components/dashboard/plane-state-words.ts';
import { aClusterView } from '#lib/console/fold/testing/views.ts';
import { clusterSentence } from '#lib/console/wire.ts';
import { type Kube, KubeError } from '#lib/kube/index.ts';
import { openSandbox } from '#lib/sandbox/index.ts';
import { journalNamespaces, names, resources } from '#lib/spec/index.ts';
import { type ClusterChange, type ClusterPicture, healthOf, watchCluster } from '#lib/status/index.ts';
import { consoleUser } from '../testing/live-stage.ts';
import { screen } from '../testing/screen.ts';
import { openStage, type Stage, someNodes } from '../testing/stage.ts';

let stage: Stage;
let stop = new AbortController();
const watching: Promise<void>[] = [];
afterEach(async () => {
  stop.abort();
  await Promise.allSettled(watching);
  stop = new AbortController();
  await stage.close();
});

test('a node whose kernel refuses eBPF is shown as fallen back, not as switched', async () => {
  const nodes = someNodes(3, { 'worker-2': { kernel: '4.15.0-213-generic', osImage: 'Ubuntu 18.04.6 LTS' } });
  stage = await openStage({ nodes: 3, shape: { nodes } });
  const cluster = watch(stage.store);
  await cluster.until(({ nodes: lines }) => lines.length === 3 && lines.every(({ plane }) => plane === 'standard'));
  const body = { spec: { calicoNetwork: { linuxDataplane: 'BPF' } } };
  await stage.store.patch({ resource: resources.installations, name: names.installation }, { type: 'merge', body });
  const passing = stage.pass(600);
  const after = await cluster.until(({ nodes: lines }) => lines.some(({ plane }) => plane === 'fell-back'));
  await passing;
  expect(after.nodes.find(({ plane }) => plane === 'fell-back')).toMatchObject({
    name: 'worker-2',
    because: 'its agent says that kernel 4.15.0-213-generic cannot run eBPF',
  });
});

test('nodes and proxy of one picture are of one moment', async () => {
  stage = await openStage({ nodes: 4 });
  // On a busy machine the agents' logs arrive later than the watch waits for them.
  const cluster = watch(stage.store, { heldAtMostMs: 600_000 });
  await cluster.until(({ nodes }) => nodes.every(({ plane }) => plane === 'standard'));
  const patch = (
    resource: (typeof resources)[keyof typeof resources],
    name: string,
    body: Record<string, unknown>,
    namespace?: string,
  ) => stage.store.patch({ resource, name, ...(namespace && { namespace }) }, { type: 'merge', body });
  const installation = { spec: { calicoNetwork: { linuxDataplane: 'BPF' } } };
  await patch(resources.installations, names.installation, installation);
  // The agent's log arrives later than the API server's events.
  const { promise: later, resolve: letSay } = Promise.withResolvers<void>();
  stage.store.intercept(async ({ subresource }, proceed) => {
    if (subresource === 'log') await later;
    await proceed();
  });
  await stage.pass(900);
  await cluster.until(({ nodes }) => nodes.every(({ plane }) => plane === 'moving'));
  const off = { spec: { template: { spec: { nodeSelector: { 'non-calico': 'true' } } } } };
  await patch(resources.daemonSets, names.kubeProxyDaemonSet, off, names.systemNamespace);
  await stage.pass(60);
  // Enough time for several changes; a change of the proxy alone would be among them.
  await new Promise((resolve) => setTimeout(resolve, 400));
  letSay();
  const { nodes } = await cluster.until(({ status }) => status.proxy?.desired === 0);
  expect(nodes.map(({ plane }) => plane)).toEqual(['bpf', 'bpf', 'bpf', 'bpf']);
});

test('agents of Canal are seen, whose DaemonSet and pods have another name', async () => {
  stage = await openStage({ nodes: 1, operator: 'none' });
  const { kube, close } = await openSandbox('canal', { speed: 'instant' });
  try {
    const { status } = await watch(kube).until(({ nodes }) => nodes.every(({ plane }) => plane === 'standard'));
    expect(status).toMatchObject({
      agents: { desired: 6, available: 6 },
      manifest: { version: 'v3.31.4', bpf: false },
    });
  } finally {
    stop.abort();
    await close();
  }
});

test('a rollout that stands still is the news of the dashboard, and nothing of its head is green', async () => {
  stage = await openStage({ nodes: 1, operator: 'none' });
  const { kube, close } = await openSandbox('stuck-rollout', { speed: 'instant' });
  try {
    const picture = await watch(kube).until(
      ({ nodes }) => nodes.filter(({ plane }) => plane === 'standard').length === 5,
    );
    const view = { ...aClusterView(picture.nodes), ...picture, run: null };
    expect(picture.status.agents).toMatchObject({ desired: 6, updated: 4, available: 5 });
    expect(clusterSentence(view, Date.now())).toEqual({
      lead: 'Calico’s agent is ready on 5 of 6 nodes.',
      rest: 'worker-3: its agent runs and is not ready.',
    });
    expect(planeStateWords(view)).toEqual({ state: 'warn', words: 'Not ready on 1 of 6 nodes' });
    expect(healthOf(picture.status)).toMatchObject({ kind: 'late' });
  } finally {
    stop.abort();
    await close();
  }
});

test('nodes that join and leave', async () => {
  stage = await openStage({ nodes: 2 });
  const cluster = watch(stage.store);
  await cluster.until(({ nodes }) => nodes.length === 2);
  await stage.store.delete({ resource: resources.nodes, name: 'worker-1' });
  await cluster.until(({ nodes }) => nodes.length === 1);
  const node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'w-win', labels: { 'kubernetes.io/os': 'windows' } },
  };
  await stage.store.create(resources.nodes, node);
  const after = await cluster.until(({ nodes }) => nodes.length === 2);
  expect(after.nodes.find(({ name }) => name === 'w-win')).toMatchObject({ plane: 'not-counted', ready: false });
});

test('what may not be read is unknown, and the rest is shown', async () => {
  stage = await openStage({ nodes: 2 });
  const rules = [
    {
      verbs: ['*'],
      groups: ['', 'apps', 'crd.projectcalico.org'],
      resources: ['nodes', 'pods', 'pods/log', 'daemonsets', 'felixconfigurations', 'configmaps'],
    },
  ];
  const picture = await watch(stage.store.as({ name: 'reader', rules })).until(({ nodes }) =>
    nodes.every(({ plane }) => plane === 'standard'),
  );
  expect(picture.status.unknown.map(({ kind }) => kind).sort()).toEqual(['Installation', 'TigeraStatus']);
  expect(picture.status.agents).toMatchObject({ desired: 2 });
});

test('a lost API server is told once, and that it answers again', async () => {
  stage = await openStage({ nodes: 2 });
  const cluster = watch(consoleUser(stage));
  await cluster.until(({ nodes }) => nodes.every(({ plane }) => plane === 'standard'));
  const fix = stage.store.intercept(async ({ user }, proceed) => {
    if (user === 'console') throw new KubeError('unreachable', 'Connection refused.');
    await proceed();
  });
  stage.store.expireHistory();
  await cluster.until(({ stale }) => stale?.message === 'Connection refused.');
  fix();
  const back = await cluster.until(({ stale }) => stale === null);
  expect(back.nodes).toHaveLength(2);
  expect(cluster.changes.filter(({ kind }) => kind === 'stale')).toHaveLength(2);
});

test('of all runs it holds the journal of the one that it tells, and of no other', async () => {
  stage = await openStage({ nodes: 1 });
  const made = (run: string) =>
    stage.store.create(resources.configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: `signalbox-run-${run}`,
        namespace: names.systemNamespace,
        labels: { [names.runLabel]: run },
      },
      data: { 'journal.json': JSON.stringify({ startedAt: `2026-11-26T00:00:0${run}Z`, state: { kind: 'done' } }) },
    });
  for (const run of ['1', '2']) await made(run);
  const cluster = watch(stage.store);
  const { run: newest } = await cluster.until(({ run }) => run?.run === '2');
  expect(newest?.configMap?.metadata.name).toBe('signalbox-run-2');
  await made('3');
  const { run: newer } = await cluster.until(({ run }) => run?.run === '3');
  expect(newer?.configMap?.metadata.name).toBe('signalbox-run-3');
  const ref = { resource: resources.configMaps, namespace: names.systemNamespace };
  for (const run of ['3', '2']) await stage.store.delete({ ...ref, name: `signalbox-run-${run}` });
  const { run: oldest } = await cluster.until(({ run }) => run?.run === '1');
  expect(oldest?.configMap).toBeNull();
});

test('five hundred events become a few changes', async () => {
  stage = await openStage({ nodes: 2 });
  const cluster = watch(stage.store);
  await cluster.until(({ nodes }) => nodes.every(({ plane }) => plane === 'standard'));
  const before = cluster.changes.length;
  const began = performance.now();
  for (let count = 0; count < 500; count++) await annotate(`${count}`);
  const body = { status: { conditions: [{ type: 'Ready', status: 'False' }] } };
  await stage.store.patch(
    { resource: resources.nodes, name: 'worker-1' },
    { type: 'merge', body },
    { subresource: 'status' },
  );
  await cluster.until(({ nodes }) => nodes.some(({ ready }) => !ready));
  const most = 2 + Math.ceil((performance.now() - began) / 100);
  expect(cluster.changes.length - before).toBeLessThanOrEqual(most);
});

test('it ends when its connection is closed, so that it is opened anew', async () => {
  stage = await openStage({ nodes: 2 });
  const closed = new AbortController();
  const kube: Kube = {
    ...stage.store,
    watch: (resource, options) => stage.store.watch(resource, { ...options, signal: closed.signal }),
  };
  const cluster = watch(kube);
  await cluster.until(({ nodes }) => nodes.length === 2);
  closed.abort();
  await watching.at(-1);
});

/** Follows a cluster as the console does; `until` gets every picture. */
function watch(kube: Kube, { heldAtMostMs }: { heldAtMostMs?: number } = {}) {
  const changes: ClusterChange[] = [];
  const { current, show, until } = screen<ClusterPicture>();
  const { clock } = stage;
  watching.push(
    (async () => {
      const limit = heldAtMostMs === undefined ? {} : { heldAtMostMs };
      for await (const change of watchCluster({ kube, clock, journalNamespaces, signal: stop.signal, ...limit })) {
        changes.push(change);
        show(after(current(), change));
      }
    })(),
  );
  return { changes, until };
}

function after(picture: ClusterPicture | null, change: ClusterChange): ClusterPicture | null {
  if (change.kind === 'whole') return change.picture;
  if (!picture) return null;
  if (change.kind === 'stale') return { ...picture, stale: change.stale };
  const nodes = new Map(picture.nodes.map((node) => [node.name, node]));
  for (const name of change.nodes?.gone ?? []) nodes.delete(name);
  for (const node of change.nodes?.changed ?? []) nodes.set(node.name, node);
  return {
    ...picture,
    nodes: [...nodes.values()],
    status: change.status ?? picture.status,
    run: change.run === undefined ? picture.run : change.run,
  };
}

function annotate(value: string): Promise<unknown> {
  const body = { metadata: { annotations: { 'example.com/beat': value } } };
  return stage.store.patch({ resource: resources.nodes, name: 'worker-1' }, { type: 'merge', body });
}
