import { afterEach, expect, test } from 'vitest';
import { closeConsoles } from '../testing/a-console.ts';
import { askNow, failureOf, okValue, untilRun } from '../testing/a-page.ts';
import { runUnderWay } from '../testing/run-under-way.ts';
import { aSharedCluster, type SharedCluster } from '../testing/shared-cluster.ts';

let shared: SharedCluster;
afterEach(async () => {
  await closeConsoles();
  await shared.stage.close();
});

async function underWay() {
  shared = await aSharedCluster();
  return runUnderWay(shared);
}

test('a pause that is asked for while the API server is away is kept, once, and made when it answers', async () => {
  const { host, slug, run, setAway } = await underWay();
  setAway(true);
  expect(okValue(await askNow(host, slug, run, 'pause'))).toBe('once-it-answers');
  expect(okValue(await askNow(host, slug, run, 'pause'))).toBe('once-it-answers');
  const other = failureOf(await askNow(host, slug, run, 'stop'));
  expect(other).toMatchObject({ code: 'run.asked' });
  expect(other.message).toContain('pause was already requested');
  setAway(false);
  expect((await untilRun(host, slug, run, 'paused')).report.state).toMatchObject({ code: 'asked' });
  expect(okValue(await askNow(host, slug, run, 'resume'))).toBe('now');
  await untilRun(host, slug, run, 'done');
});

test('what cannot be asked of this run is refused by the same sentences while its cluster is away', async () => {
  const { host, slug, run, setAway } = await underWay();
  const { revision } = okValue(await host.run(slug, run)).view;
  setAway(true);
  expect(failureOf(await askNow(host, slug, run, 'take-over')).code).toBe('run.going-on');
  expect(failureOf(await host.ask(slug, run, { action: 'undo', revision, confirmation: 'another' })).code).toMatch(
    /^confirmation|name/,
  );
  expect(failureOf(await host.ask(slug, run, { action: 'pause', revision: -1 })).code).toBe('run.changed');
  setAway(false);
  await untilRun(host, slug, run, 'done');
});
