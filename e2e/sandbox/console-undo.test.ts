import { afterEach, expect, test } from 'vitest';
import { clusterContents, expectSameCluster } from '#e2e/journey/index.ts';
import { aConsole, closeConsoles } from '#lib/console/host/testing/a-console.ts';
import { askNow, okValue, standard, startOn, untilRun } from '#lib/console/host/testing/a-page.ts';
import { openSandbox } from '#lib/sandbox/index.ts';

afterEach(closeConsoles);

test('what the console enabled and took back on a kept sandbox is as it was, object by object, also across a restart', async () => {
  const first = await aConsole();
  const { state } = first;
  const before = await contentsOf(state);
  const run = await startOn(first.host, standard);
  await untilRun(first.host, standard, run, 'done');
  okValue(await askNow(first.host, standard, run, 'undo'));
  await first.end();

  const second = await aConsole({ state });
  await second.recover();
  await untilRun(second.host, standard, run, 'undone');
  await second.end();
  const after = await contentsOf(state);
  expect(after.length).toBeGreaterThan(50);
  expectSameCluster(before, after);
});

/** All objects of the sandbox after it has settled, without another reader. */
async function contentsOf(state: string) {
  const sandbox = await openSandbox('standard', { speed: 'instant', state });
  try {
    await sandbox.clock.sleep(400_000);
    return await clusterContents(sandbox.kube);
  } finally {
    await sandbox.close();
  }
}
