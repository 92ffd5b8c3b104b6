import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { readEvents } from '#lib/console/streams/testing/sse-reader.ts';
import { foldRun, type RunStreamEvent, type RunView } from '#lib/console/wire.ts';
import { KubeError } from '#lib/kube/index.ts';
import { continueRun, listRuns, readRun, sendRequest, startRun } from '#lib/run/index.ts';
import { journalNamespaces, resources } from '#lib/spec/index.ts';
import { flagsByProgram } from '#lib/text/index.ts';
import { consoleUser, type LiveStage, openLiveStage } from '../testing/live-stage.ts';
import { screen } from '../testing/screen.ts';
import type { Stage } from '../testing/stage.ts';

let on: LiveStage;
const stop = new AbortController();
afterEach(() => on.close());

test('a run that another process carries is followed through a pause and its resumption, in one stream', async () => {
  on = await openLiveStage({ nodes: 4 });
  const { stage, live } = on;
  const process = stage.process();
  const started = startRun(process, await stage.plan());
  const run = await runOf(stage);
  const page = follow(run);
  await page.until(({ now }) => now !== null);
  await sendRequest(stage.ours, journalNamespaces, run, 'pause', 'a colleague', stage.clock);
  expect(await started).toMatchObject({ outcome: { kind: 'paused' } });
  const paused = await page.until(({ state }) => state.kind === 'paused');
  expect(paused).toMatchObject({ role: 'follower', now: null, problem: { code: 'asked' } });

  const carriedOn = continueRun(stage.process(), run, { how: 'resume' });
  const going = await page.until(({ state }) => state.kind === 'running');
  expect(going.problem).toBeNull();
  expect(going.turnedAt).toBeGreaterThan(paused.turnedAt);
  const proven = await page.until(({ nodes }) => nodes.length === 4 && nodes.every(({ state }) => state === 'proven'));
  expect(proven.nodes.map(({ dataplane }) => dataplane)).toEqual(['bpf', 'bpf', 'bpf', 'bpf']);
  const done = await page.until(({ state }) => state.kind === 'done');
  await carriedOn;
  expect(done.operations.every(({ state }) => state === 'finished' || state === 'already-done')).toBe(true);
  expect(page.snapshots()).toBeLessThan(6);
  expect(done.log.filter(({ text }) => text === 'The run continues.')).toHaveLength(1);
  // Nodes change all the time, so both views are read until they are of the same moment.
  await vi.waitFor(
    async () => {
      const loaded = await live.runView('a-cluster', run);
      expect(await page.until(({ revision }) => revision >= loaded.revision)).toEqual(loaded);
    },
    { timeout: 90_000 },
  );
});

test('a run that this process carries, then another one: the page stays with it', async () => {
  on = await openLiveStage({ nodes: 4 });
  const { stage, live } = on;
  const publisher = live.runPublisher('a-cluster');
  const ours = stage.process();
  const started = startRun({ ...ours, onEvent: publisher.tell }, await stage.plan());
  const run = await runOf(stage);
  const page = follow(run);
  await page.until(({ role, now }) => role === 'holder' && now !== null);
  ours.control.ask('pause');
  await started;
  publisher.end();
  await page.until(({ role, state }) => role === 'follower' && state.kind === 'paused');
  await continueRun(stage.process(), run, { how: 'undo' });
  const undone = await page.until(({ state }) => state.kind === 'undone');
  expect(undone.role).toBe('follower');
  expect(undone.operations.some(({ state }) => state === 'undone')).toBe(true);
});

test('a journal that somebody else changes while it is followed is no longer told as ours; once ours stands there again it is', async () => {
  on = await openLiveStage({ nodes: 2 });
  const { stage } = on;
  const process = stage.process();
  const started = startRun(process, await stage.plan());
  const run = await runOf(stage);
  const page = follow(run);
  await page.until(({ now }) => now !== null);
  process.control.ask('pause');
  await started;
  const before = await page.until(({ state }) => state.kind === 'paused');
  expect(before.isForeign).toBe(false);
  const ref = { resource: resources.configMaps, name: `signalbox-run-${run}`, namespace: journalNamespaces[0] };
  const write = (text: string) =>
    stage.ours.patch(ref, { type: 'merge', body: { data: { 'journal.json': text } } }).then(() => undefined);
  const { data } = z.object({ data: z.record(z.string(), z.string()) }).parse(await stage.ours.get(ref));
  const text = data['journal.json'] ?? '';
  const forged = {
    ...JSON.parse(text),
    cluster: 'another-cluster',
    upgrade: { from: 'v3.30.0', to: 'v9.9.9', by: 'helm' },
    state: { kind: 'done' },
  };
  await write(JSON.stringify(forged));
  const foreign = await page.until(({ isForeign }) => isForeign);
  expect(foreign).toMatchObject({ state: { kind: 'done' }, cluster: before.cluster });
  expect(foreign.upgrade).toBeUndefined();
  await write(text);
  expect(await page.until(({ isForeign }) => !isForeign)).toMatchObject({ state: { kind: 'paused' } });
});

test('a lost API server is said, with the rest as it was, and over when it answers again', async () => {
  on = await openLiveStage({ nodes: 4 }, consoleUser);
  const { stage } = on;
  const started = startRun(stage.process(), await stage.plan());
  const run = await runOf(stage);
  const page = follow(run);
  await page.until(({ now }) => now !== null);
  const fix = stage.store.intercept(async ({ user }, proceed) => {
    if (user === 'console') throw new KubeError('unreachable', 'The line to the cluster is cut.');
    await proceed();
  });
  stage.store.expireHistory();
  const stale = await page.until((view) => view.stale !== null);
  expect(stale.stale?.message).toContain('cut');
  expect(stale.operations.length).toBeGreaterThan(0);
  fix();
  await started;
  const done = await page.until(({ state }) => state.kind === 'done');
  expect(done.stale).toBeNull();
});

test('a page leads the commands of a run to its cluster, and the journal, which others read elsewhere, names none', async () => {
  const flags = flagsByProgram({ context: 'prod', kubeconfig: { file: '/home/bob/.kube/config' } });
  on = await openLiveStage({ nodes: 1 }, undefined, flags);
  const { stage } = on;
  const plan = await stage.plan();
  stage.store.intercept(async ({ resource, verb }, proceed) => {
    if (resource === 'installations' && verb === 'patch')
      throw new KubeError('invalid', 'Refused. `kubectl get installations` shows why.');
    await proceed();
  });
  const process = stage.process();
  // The flags by which this machine reaches the cluster must not get into the journal.
  const kube = { ...process.kube, reachedBy: { kubeconfig: '/home/alice/.kube/config', context: 'alice' } };
  const started = await startRun({ ...process, kube }, plan);
  const because = 'Refused. `kubectl get installations` shows why.';
  expect(started).toMatchObject({ outcome: { kind: 'paused', because: expect.stringContaining(because) } });
  const run = await runOf(stage);
  const page = follow(run);
  const led = '`kubectl --context prod --kubeconfig /home/bob/.kube/config get installations`';
  const paused = await page.until(({ state }) => state.kind === 'paused');
  expect(paused).toMatchObject({
    state: { because: expect.stringContaining(led) },
    problem: { message: expect.stringContaining(led) },
  });
  const carriedOn = continueRun({ ...stage.process(), kube }, run, { how: 'resume' });
  await page.until(({ state }) => state.kind === 'running');
  await carriedOn;
  expect(await page.until(({ state }) => state.kind === 'paused')).toMatchObject({
    state: { because: expect.stringContaining(led) },
  });
  const { journal } = await readRun(stage.ours, journalNamespaces, run);
  expect(JSON.stringify(journal)).toContain('`kubectl get installations`');
  expect(JSON.stringify(journal)).not.toMatch(/kubeconfig|--context/);
});

test('of a run that there is none of, the stream says so and ends', async () => {
  on = await openLiveStage({ nodes: 1 });
  const { live } = on;
  const events = await Array.fromAsync(
    readEvents(live.runEvents('a-cluster', '20260101-0000-dead', null, stop.signal)),
  );
  expect(events.map(({ event }) => event)).toEqual(['end']);
  expect(JSON.parse(events[0]?.data ?? '')).toMatchObject({ data: { code: 'run.unknown' } });
  await expect(live.runView('a-cluster', '20260101-0000-dead')).rejects.toMatchObject({ code: 'not-found' });
});

async function runOf({ ours, clock }: Stage): Promise<string> {
  for (;;) {
    const [run] = await listRuns(ours, journalNamespaces);
    if (run) return run.run;
    await clock.sleep(10);
  }
}

/** A page that follows a run; `until` gets every view that the page shows. */
function follow(run: string) {
  const page = screen<RunView>();
  let snapshots = 0;
  const over = (async () => {
    for await (const { data } of readEvents(on.live.runEvents('a-cluster', run, null, stop.signal))) {
      const event = JSON.parse(data) as RunStreamEvent;
      const view = page.current();
      if (event.event === 'snapshot') snapshots++;
      page.show(event.event === 'snapshot' ? event.data : view && foldRun(view, event));
    }
  })();
  over.catch(() => undefined);
  return { snapshots: () => snapshots, until: page.until };
}
