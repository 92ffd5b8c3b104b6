import { expect, test } from 'vitest';
import { aFlowCluster } from '#lib/flows/testing/a-flow-cluster.ts';
import { systemClock } from '#lib/kube/index.ts';
import { firstView } from './first-view.ts';
import { FlowFeed } from './flow-feed.ts';

test('who waits for the first flows is told that certificates do not fit, and sees no empty page', async () => {
  const stray = await aFlowCluster({ shownFor: ['elsewhere.example'], way: 'memory' });
  const stop = new AbortController();
  const feed = new FlowFeed(Date.now(), () => undefined);
  const access = { kube: stray.kube, clock: systemClock, name: 'x', release: () => undefined };
  const following = feed.follow(access, stop.signal);
  await expect(firstView({ of: feed, leave: () => undefined })).rejects.toMatchObject({ code: 'certificates' });
  expect(feed.feed.view).toBeNull();
  stop.abort();
  await following;
  await stray.close();
});
