import { afterEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { memoryInFolder, ownIdentity } from '#lib/run/index.ts';
import { closeConsoles } from '../testing/a-console.ts';
import { askNow, okValue, untilRun } from '../testing/a-page.ts';
import { runUnderWay } from '../testing/run-under-way.ts';
import { aSharedCluster, type SharedCluster } from '../testing/shared-cluster.ts';
import { runRequests } from './run-requests.ts';

let shared: SharedCluster;
afterEach(async () => {
  await closeConsoles();
  await shared.stage.close();
});

test('what is asked of a paused run while it is being taken up is refused at once: its end may be an hour away', async () => {
  shared = await aSharedCluster();
  const { host, slug, run } = await runUnderWay(shared);
  okValue(await askNow(host, slug, run, 'pause'));
  await untilRun(host, slug, run, 'paused');

  const takenUp = { cluster: slug, run, moves: false, ended: new Promise<never>(() => undefined) };
  const { ours: kube, clock } = shared.stage;
  const requests = runRequests({
    clusters: { using: (_: unknown, work: (used: unknown) => unknown) => work({ kube, clock, slug }) },
    carried: { carrying: async () => takenUp },
    memory: await memoryInFolder(testFolder('run-requests')),
    identity: await ownIdentity(testFolder('run-requests')),
  } as never);
  await expect(requests.ask(slug, run, { action: 'stop', revision: 1 })).rejects.toMatchObject({
    code: 'run.under-way',
    message: `Run ${run} is under way on this cluster: one at a time.`,
  });
});
