import type { V1ConfigMap } from '@kubernetes/client-node';
import { afterEach, expect, test } from 'vitest';
import { readEvents } from '#lib/console/streams/testing/sse-reader.ts';
import { type ClusterEvent, type ClusterView, foldCluster } from '#lib/console/wire.ts';
import { type Kube, KubeError, type ObjectToWrite } from '#lib/kube/index.ts';
import { foreignBecause, type Journal, runSummaryOf, seenRunToShow, startRun } from '#lib/run/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { type LiveStage, openLiveStage } from '../testing/live-stage.ts';

let on: LiveStage;
const stop = new AbortController();
afterEach(() => on.close());

test('the dashboard sees every node move to eBPF, and kube-proxy go', async () => {
  on = await openLiveStage({ nodes: 4 });
  const { stage, live } = on;
  const stream = () => live.clusterEvents('a-cluster', null, stop.signal);
  const opened = await live.clusterView('a-cluster');
  expect(opened.nodes.map(({ name }) => name)).toEqual(['control-1', 'worker-1', 'worker-2', 'worker-3']);
  expect(opened).toMatchObject({ kubernetes: expect.stringMatching(/^v1\.\d/), run: null, stale: null });

  const before = await until(stream(), ({ nodes }) => nodes.every(({ plane }) => plane !== 'unknown'));
  expect(new Set(before.nodes.map(({ plane, because }) => `${plane}: ${because}`))).toEqual(
    new Set(['standard: its agent started without eBPF']),
  );

  const seen: string[] = [];
  const moved = until(stream(), (view) => {
    for (const { name, plane } of view.nodes) if (!seen.includes(`${name} ${plane}`)) seen.push(`${name} ${plane}`);
    return view.nodes.every(({ plane }) => plane === 'bpf') && view.run?.state.kind === 'done';
  });
  await startRun(stage.process(), await stage.plan());
  const after = await moved;
  for (const { name } of after.nodes) expect(seen).toContain(`${name} moving`);
  expect(after.status).toMatchObject({ felix: { bpfEnabled: true }, proxy: { desired: 0 } });
  expect(after.run?.foreign).toBeNull();
  expect(after).toEqual(await live.clusterView('a-cluster'));
});

test('a run that a foreign hand writes into the cluster is told as a claim, without its own words', async () => {
  on = await openLiveStage({ nodes: 2 });
  const { stage, live } = on;
  const shown = until(live.clusterEvents('a-cluster', null, stop.signal), ({ run }) => run?.run === 'somebodys');
  await stage.ours.create(resources.configMaps, theirs({}));
  const { run } = await shown;
  expect(run).toMatchObject({ goal: 'upgrade', foreign: foreignBecause('not-sealed') });
  expect(run?.upgrade).toBeUndefined();
});

test('of a run whose journal was not kept it is read again whose word it is, and without an answer it is a claim', async () => {
  on = await openLiveStage({ nodes: 1 });
  const { ours, process } = on.stage;
  const configMap = theirs({ seal: { install: 'another', mac: '0'.repeat(64) } });
  await ours.create(resources.configMaps, configMap);
  const seen = { ...runSummaryOf(configMap), configMap: null };
  const shown = (kube: Kube) => seenRunToShow(kube, seen, process().memory);
  expect((await shown(ours)).foreign).toBe(foreignBecause('sealed-elsewhere'));
  const away = { ...ours, get: () => Promise.reject(new KubeError('unreachable', 'Connection refused.')) };
  expect(await shown(away)).toMatchObject({ run: 'somebodys', foreign: foreignBecause('not-sealed') });
});

const somebodys: Journal = {
  apiVersion: 'signalbox.dev/v1',
  kind: 'Journal',
  run: 'somebodys',
  goal: 'upgrade',
  upgrade: { from: 'v3.30.0', to: 'v9.9.9', hops: 1 },
  cluster: 'a sandbox',
  planHash: 'x',
  startedAt: '2026-11-26T00:00:00Z',
  startedBy: 'x',
  state: { kind: 'running', direction: 'forward' },
  accepted: [],
  entries: [],
};

/** The ConfigMap of a forged journal. */
function theirs(journal: Partial<Journal>) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'signalbox-run-somebodys',
      namespace: names.systemNamespace,
      labels: { [names.runLabel]: 'somebodys' },
    },
    data: { 'journal.json': JSON.stringify({ ...somebodys, ...journal }) },
  } satisfies ObjectToWrite<V1ConfigMap>;
}

async function until(stream: ReadableStream<Uint8Array>, holds: (view: ClusterView) => boolean): Promise<ClusterView> {
  let view: ClusterView | null = null;
  for await (const { data, id } of readEvents(stream)) {
    const event = JSON.parse(data) as ClusterEvent;
    view = event.event === 'snapshot' ? event.data : view && foldCluster(view, event, id === null ? null : Number(id));
    if (view && holds(view)) return view;
  }
  throw new Error('the stream ended');
}
