import { afterEach, expect, test } from 'vitest';
import { closeConsoles } from '../testing/a-console.ts';
import { okValue, untilRun } from '../testing/a-page.ts';
import { runUnderWay } from '../testing/run-under-way.ts';
import { aSharedCluster, type SharedCluster } from '../testing/shared-cluster.ts';

let shared: SharedCluster;
afterEach(async () => {
  await closeConsoles();
  await shared.stage.close();
});

test('while the API server is away, a reload shows what was read last and says so; the run goes on when it is back', async () => {
  shared = await aSharedCluster();
  const { host, slug, run, setAway } = await runUnderWay(shared);
  setAway(true);
  const during = okValue(await host.run(slug, run));
  expect(during.view.stale?.message).toContain('ECONNREFUSED');
  expect(during.report.run).toBe(run);
  setAway(false);
  expect((await untilRun(host, slug, run, 'done')).view.stale).toBeNull();
});
