import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage } from './testing/a-page.ts';
import { keys, mouse } from './testing/hands.ts';
import { answerInstall, startInstall, uninstall } from './testing/install-journey.ts';
import { openCluster, openSteps, runSays } from './testing/journey.ts';
import { pageChecks } from './testing/look.ts';

/** From a cluster without Calico to one that runs it, and back to nothing, on sandboxes of three platforms. */
let console: AConsole;

beforeAll(async () => {
  console = await aConsole();
});

afterAll(() => console?.close());

test('kubeadm: every screen that only installing has is accessible in both themes and at every width, and the way back ends with nothing', async () => {
  const { page } = await aPage(console);
  const { look, finish } = pageChecks(page, 'measure too');
  await openCluster(page, mouse, 'empty-kubeadm');
  await page.getByText('Calico is not installed here', { exact: true }).waitFor();
  await look('the dashboard without Calico');
  await answerInstall(page, mouse, { look });
  await startInstall(page, mouse, 'empty-kubeadm');
  await runSays(page, /^Done/);
  await look('an installation that is done');
  await page.getByRole('button', { name: 'Uninstall…' }).click();
  await page.getByRole('dialog').getByRole('textbox').waitFor();
  await look('what uninstalling would do');
  await page.keyboard.press('Escape');
  await uninstall(page, mouse, 'empty-kubeadm');
  await runSays(page, /^Uninstalled/);
  await look('an installation that was undone');
  await openCluster(page, mouse, 'empty-kubeadm');
  await page.getByText('Calico is not installed here', { exact: true }).waitFor();
  finish();
});

test('OpenShift, from its own bundle', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'empty-openshift');
  await answerInstall(page, mouse);
  await startInstall(page, mouse, 'empty-openshift');
  await runSays(page, /^Done/);
  await openCluster(page, mouse, 'empty-openshift');
  await page.getByText(/Calico v3\.31\.\d+ by operator/).waitFor();
});

test('kind, its wizard and its run by keyboard alone: every control is reached by Tab, and is never hidden when it has the focus', async () => {
  const { page } = await aPage(console);
  const hands = keys(page);
  // The list of clusters by keyboard is by-keyboard.test.ts's.
  await openCluster(page, mouse, 'empty-kind');
  await answerInstall(page, hands);
  await startInstall(page, hands, 'empty-kind');
  await runSays(page, /^Done/);
});

test('a cluster on which Calico runs says why it cannot be installed there, and is not uninstalled either', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'standard');
  expect(await page.getByRole('button', { name: 'Install Calico' }).count()).toBe(0);
  await page.getByText(/Only runs of Signalbox can be undone/).waitFor();
  await openSteps(page, mouse, page.getByRole('button', { name: 'Enable eBPF' }));
  await page.getByRole('heading', { level: 1, name: 'Choose the goal' }).waitFor();
  expect(await page.getByRole('radio', { name: /^Install Calico/ }).isDisabled()).toBe(true);
  await page.getByText(/is installed here already, by its operator/).waitFor();
});

test('what somebody began to install and did not finish is told, and can be finished', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'half-installed');
  await page.getByText(/started here but not finished/).waitFor();
  const finish = page.getByRole('button', { name: 'Finish the installation' });
  await finish.waitFor();
  // One way on, and one button of it.
  await expect.poll(() => page.getByRole('button', { name: 'Install Calico' }).count()).toBe(0);
  await openSteps(page, mouse, finish);
  await page.getByText(/An installation was begun and not finished/).waitFor();
});
