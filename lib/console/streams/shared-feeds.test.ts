import { expect, test } from 'vitest';
import { systemClock } from '#lib/kube/index.ts';
import { noFlags } from '#lib/text/index.ts';
import { SharedFeeds } from './shared-feeds.ts';

const aFeed = (view: unknown, failure: unknown) => ({
  feed: { ended: null, view },
  failure,
  follow: (_access: unknown, signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())),
  failed: () => undefined,
});

test.each([
  ['that has something to show is kept for who comes next', { nodes: 1 }, null, true],
  ['that is stale is kept too', { nodes: 1 }, new Error('away'), true],
  ['that is still being read is kept', null, null, true],
  ['that failed before it had anything is opened anew', null, new Error('away'), false],
])('what %s', async (_what, view, failure, isKept) => {
  const shared = new SharedFeeds<ReturnType<typeof aFeed>>({
    acquire: async () => ({
      kube: {} as never,
      clock: systemClock,
      name: 'x',
      flags: noFlags,
      release: () => undefined,
    }),
    lingerMs: 60_000,
  });
  const first = shared.join('x', '', () => aFeed(view, failure));
  first.leave();
  await new Promise((done) => setTimeout(done, 5));
  const second = shared.join('x', '', () => aFeed(view, failure));
  expect(second.of === first.of).toBe(isKept);
  second.leave();
  await shared.close();
});
