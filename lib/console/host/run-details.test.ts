import { afterEach, expect, test } from 'vitest';
import { ownIdentity } from '#lib/run/index.ts';
import { aFolder, closeConsoles } from './testing/a-console.ts';
import { ok, startOn, untilDetails, untilRun } from './testing/a-page.ts';
import { aSharedCluster, awayFor, type SharedCluster } from './testing/shared-cluster.ts';

let shared: SharedCluster;
afterEach(async () => {
  await closeConsoles();
  await shared.stage.close();
});

test('while the API server is away, a reload shows what was read last and says so; the run goes on when it is back', async () => {
  shared = await aSharedCluster();
  const { slug, stage } = shared;
  let away = false;
  const kube = awayFor(stage.ours, () => away);
  const { host } = await shared.console({ identity: await ownIdentity(await aFolder()), kube });
  const run = await startOn(host, slug);
  await untilDetails('a step is finished', host, slug, run, ({ report }) =>
    report.operations.some(({ state }) => state === 'finished'),
  );
  away = true;
  const during = ok(await host.run(slug, run));
  expect(during.view.stale?.message).toContain('ECONNREFUSED');
  expect(during.report.run).toBe(run);
  away = false;
  expect((await untilRun(host, slug, run, 'done')).view.stale).toBeNull();
});
