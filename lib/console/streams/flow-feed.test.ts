import { expect, test } from 'vitest';
import { openHistory } from '#lib/flows/index.ts';
import { aFlowCluster } from '#lib/flows/testing/a-flow-cluster.ts';
import { systemClock } from '#lib/kube/index.ts';
import { memoryInProcess } from '#lib/run/index.ts';
import { noFlags } from '#lib/text/index.ts';
import { firstView } from './first-view.ts';
import { FlowFeed } from './flow-feed.ts';
import { makeLive } from './live.ts';

test('who waits for the first flows is told that certificates do not fit, and sees no empty page', async () => {
  const stray = await aFlowCluster({ shownFor: ['elsewhere.example'], way: 'memory' });
  const stop = new AbortController();
  const feed = new FlowFeed(Date.now(), () => undefined);
  const access = { kube: stray.kube, clock: systemClock, name: 'x', flags: noFlags, release: () => undefined };
  const following = feed.follow(access, stop.signal);
  await expect(firstView({ of: feed, leave: () => undefined })).rejects.toMatchObject({ code: 'certificates' });
  expect(feed.feed.view).toBeNull();
  stop.abort();
  await following;
  await stray.close();
});

test('flows whose history is kept are followed on when nobody looks any more', async () => {
  const cluster = await aFlowCluster({ way: 'memory' });
  const released: string[] = [];
  const live = makeLive({
    acquire: async (slug) => ({
      kube: cluster.kube,
      clock: systemClock,
      name: slug,
      flags: noFlags,
      release: () => void released.push(slug),
    }),
    memory: memoryInProcess('x'),
    lingerMs: 1,
    histories: {
      of: async () => null,
      existing: async () => null,
      uidOf: async () => null,
      leftIn: async () => null,
      isKept: async (slug) => slug === 'kept',
      forget: async () => undefined,
      close: async () => undefined,
    },
  });
  await live.flowsView('kept');
  await live.flowsView('other');
  await expect.poll(() => released).toEqual(['other']);
  await live.close();
  expect(released).toEqual(['other', 'kept']);
  await cluster.close();
});

test('a history that could not be opened at first is asked for again, and records for as long as it is told flows', async () => {
  const cluster = await aFlowCluster({ way: 'memory' });
  const history = await openHistory({
    path: null,
    keptSeconds: 3600,
    mostBytes: 1e9,
    now: () => cluster.time.now,
    log: () => undefined,
  });
  const stop = new AbortController();
  let attempts = 0;
  const logged: string[] = [];
  const feed = new FlowFeed(
    Date.now(),
    (line) => logged.push(line),
    async (kube) => {
      expect(kube).toBe(cluster.kube);
      if (++attempts === 1) throw new Error('Another process has the history of flows of this cluster open.');
      return history;
    },
  );
  expect(history.state().isRecording).toBe(false);
  const access = { kube: cluster.kube, clock: systemClock, name: 'x', flags: noFlags, release: () => undefined };
  const following = feed.follow(access, stop.signal);
  await expect.poll(() => history.state().isRecording).toBe(true);
  expect(logged).toEqual(['the history of flows was not opened']);
  stop.abort();
  await following;
  expect(history.state().isRecording).toBe(false);
  await history.close();
  await cluster.close();
});

test('a history that does not open keeps nobody from seeing flows', async () => {
  const cluster = await aFlowCluster({ way: 'memory' });
  const stop = new AbortController();
  const feed = new FlowFeed(
    Date.now(),
    () => undefined,
    () => new Promise(() => undefined),
  );
  const following = feed.follow(
    { kube: cluster.kube, clock: systemClock, name: 'x', flags: noFlags, release: () => undefined },
    stop.signal,
  );
  await expect.poll(() => feed.feed.view, { timeout: 15_000 }).not.toBeNull();
  stop.abort();
  await following;
  await cluster.close();
}, 20_000);
