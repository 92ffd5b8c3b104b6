import { afterEach, expect, test } from 'vitest';
import { ownIdentity } from '#lib/run/index.ts';
import { aFolder, closeConsoles } from './testing/a-console.ts';
import { askNow, ok, refused, startOn, untilDetails, untilRun } from './testing/a-page.ts';
import { aSharedCluster, awayFor, type SharedCluster } from './testing/shared-cluster.ts';

let shared: SharedCluster;
afterEach(async () => {
  await closeConsoles();
  await shared.stage.close();
});

/** A run of this console that is under way, and the switch that takes its cluster away. */
async function underWay() {
  shared = await aSharedCluster();
  const { slug, stage } = shared;
  let away = false;
  const kube = awayFor(stage.ours, () => away);
  const { host } = await shared.console({ identity: await ownIdentity(await aFolder()), kube });
  const run = await startOn(host, slug);
  await untilDetails('a step is finished', host, slug, run, ({ report }) =>
    report.operations.some(({ state }) => state === 'finished'),
  );
  const setAway = (now: boolean) => {
    away = now;
  };
  return { host, slug, run, setAway };
}

test('a pause that is asked for while the API server is away is kept, once, and made when it answers', async () => {
  const { host, slug, run, setAway } = await underWay();
  setAway(true);
  expect(ok(await askNow(host, slug, run, 'pause'))).toBe('once-it-answers');
  expect(ok(await askNow(host, slug, run, 'pause'))).toBe('once-it-answers');
  const other = refused(await askNow(host, slug, run, 'stop'));
  expect(other).toMatchObject({ code: 'run.asked' });
  expect(other.message).toContain('pause was asked');
  setAway(false);
  expect((await untilRun(host, slug, run, 'paused')).report.state).toMatchObject({ code: 'asked' });
  expect(ok(await askNow(host, slug, run, 'resume'))).toBe('now');
  await untilRun(host, slug, run, 'done');
});

test('what cannot be asked of this run is refused by the same sentences while its cluster is away', async () => {
  const { host, slug, run, setAway } = await underWay();
  const { revision } = ok(await host.run(slug, run)).view;
  setAway(true);
  expect(refused(await askNow(host, slug, run, 'take-over')).code).toBe('run.going-on');
  expect(refused(await host.ask(slug, run, { action: 'undo', revision, confirmation: 'another' })).code).toMatch(
    /^confirmation|name/,
  );
  expect(refused(await host.ask(slug, run, { action: 'pause', revision: -1 })).code).toBe('run.changed');
  setAway(false);
  await untilRun(host, slug, run, 'done');
});
