import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CalicoCluster, isSettled, startCalicoCluster } from '#e2e/cluster/testing/calico-cluster.ts';
import { comesBackTo } from '#e2e/cluster/testing/comes-back.ts';
import { contentsOf } from '#e2e/cluster/testing/contents.ts';
import { eventually } from '#e2e/cluster/testing/eventually.ts';
import { defaultEndpoint, unexpectedDials } from '#e2e/controlplane/index.ts';
import { expectSameCluster } from '#e2e/journey/index.ts';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage } from './testing/a-page.ts';
import { mouse } from './testing/hands.ts';
import { answerWizard, openCluster, runSays, startRun, takeBack } from './testing/journey.ts';
import { expectGoodLooks } from './testing/look.ts';

/** A real API server with its controllers, and the operator's stand-in for v3.31.4. The console gets an ordinary kubeconfig. */
let cluster: CalicoCluster;
let console: AConsole;

beforeAll(async () => {
  cluster = await startCalicoCluster({ like: 'v3.31.4', nodes: 2 });
  console = await aConsole({ kubeconfig: cluster.plane.kubeconfig });
});

afterAll(async () => {
  await console?.close();
  await cluster?.stop();
});

/** The objects of the cluster without the API server's own Lease, which it creates again after a restart. */
const contents = async () =>
  (await contentsOf(cluster.kube)).filter(
    ({ kind, metadata }) => kind !== 'Lease' || !metadata.name?.startsWith('apiserver-'),
  );

const name = 'signalbox-test';
const colon = defaultEndpoint.lastIndexOf(':');
const endpoint = { host: defaultEndpoint.slice(0, colon), port: defaultEndpoint.slice(colon + 1) };

test('enabled in the browser while the API server goes away and comes back, undone, and the cluster is the one of before, object by object', async () => {
  const before = await contents();
  const { page, faults } = await aPage(console);
  // Notices at the top of a run's page may move it: that the cluster does not answer, and how the run ended.
  faults.allow(/moved by .*\/runs\/\d/);
  // A request that the page sends before it knows that the API server is away.
  faults.allow(/status of 409.*\/flows\/changes\?run=/);
  await openCluster(page, mouse, name);
  const look = async (step: string) => {
    if (step === 'compatibility') await expectTestsFirst(page);
  };
  await answerWizard(page, mouse, { endpoint, look });
  expectSameCluster(before, await contents());

  await startRun(page, mouse, name);
  await page
    .getByRole('list', { name: /What happened/ })
    .getByText(/Switch 2 nodes/)
    .first()
    .waitFor();
  await cluster.plane.stopApiServer();
  await page.getByText("The cluster's API server does not answer", { exact: true }).waitFor();
  await expectGoodLooks(page);
  await cluster.plane.startApiServer();
  await page.getByText("The cluster's API server does not answer", { exact: true }).waitFor({ state: 'hidden' });
  await runSays(page, /^Done/);

  await takeBack(page, mouse, name);
  await runSays(page, /^Undone/);
  await eventually('Calico to stand still', () => isSettled(cluster.plane));
  await comesBackTo(before, contents);
  expect(console.logText()).not.toMatch(/BEGIN [A-Z ]*PRIVATE KEY|Bearer /);
});

/** Expects the page to offer the test of the nodes before it asks for a reason to skip it. */
async function expectTestsFirst(page: Page): Promise<void> {
  const together = page.getByRole('main').getByRole('region', { name: /need a measurement on each node/ });
  await together.getByRole('button', { name: 'Test 2 nodes' }).waitFor();
  const text = await page.getByRole('main').innerText();
  expect(text.indexOf('Test 2 nodes')).toBeLessThan(text.search(/Accept (all|this risk)/));
}

test('nothing tried to leave the plane', () => {
  expect(unexpectedDials(cluster.plane.egressLog())).toEqual([]);
});
