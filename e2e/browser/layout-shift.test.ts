import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage } from './testing/a-page.ts';
import { type AwkwardCluster, awkwardCluster } from './testing/awkward-cluster.ts';
import { mouse } from './testing/hands.ts';
import { openCluster } from './testing/journey.ts';
import { expectGoodLooks } from './testing/look.ts';
import { oddServers } from './testing/odd-servers.ts';

/**
 * Pages that stream a part of their content later, or open something that the address names. Their layout shift must stay below 0.02
 * (faults.ts measures it, and fails the test).
 */
let odd: Awaited<ReturnType<typeof oddServers>>;
let refusing: AwkwardCluster;
let slow: AwkwardCluster;
let console: AConsole;

beforeAll(async () => {
  odd = await oddServers();
  refusing = await awkwardCluster('narrow-rights', { refused: ['nodes', 'configmaps'] });
  slow = await awkwardCluster('slow', { answersAfterMs: 1_500 });
  console = await aConsole({ kubeconfig: [refusing, slow, odd].map(({ kubeconfig }) => kubeconfig).join(':') });
});

afterAll(async () => {
  await console?.close();
  await refusing?.close();
  await slow?.close();
  odd?.close();
});

test('on a telephone the list of clusters stands still while they answer, refuse, or do not answer', async () => {
  const { page } = await aPage(console, { width: 390 });
  await page.goto('/');
  await page.getByRole('heading', { level: 1, name: 'Clusters' }).waitFor();
  // Streamed: the page has loaded once the slowest of them was given up.
  await page.waitForLoadState('load');
  // Streamed content is inserted shortly after it arrives.
  await expect.poll(() => page.getByRole('status', { name: /^Asking/ }).count()).toBe(0);
});

test('an address that names a record of the reference, or a finding, comes with it open; a dashboard comes with what blocks', async () => {
  const { page } = await aPage(console, { width: 390 });
  await page.goto('/reference/platforms#gke');
  await page.locator('details#gke[open]').waitFor();
  await page.waitForURL(/\?record=gke#gke$/);
  await openCluster(page, mouse, 'old-kernel');
  await page.goto(page.url());
  await page.getByText(/must be fixed before eBPF can be enabled/).waitFor();
  const { page: sent } = await aPage(console);
  await sent.goto(`${new URL(page.url()).pathname}/findings#finding-node.kernel`);
  const row = sent.getByRole('article').filter({ has: sent.locator('#finding-node\\.kernel') });
  await row
    .getByText(/5\.3 is needed/)
    .first()
    .waitFor();
  await row.locator('summary').first().click();
  await expect.poll(() => new URL(sent.url()).hash).toBe('');
  await sent.reload();
  await row.waitFor();
  expect(await row.locator('details').first().getAttribute('open')).toBeNull();
});

test('what was refused is one line of the findings, with one set of Roles for all of them', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'narrow-rights');
  // Nodes that were not read are not shown as zero nodes.
  await page.getByText('Their data plane is not known.').first().waitFor();
  await page.getByText(/nodes not read/).waitFor();
  expect(await page.getByText(/empty list|0 Linux nodes/).count()).toBe(0);
  await page.goto(`${new URL(page.url()).pathname}/findings`);
  const line = page.locator('summary[data-line="cause"]').filter({ hasText: /Refused to you: .*list nodes/ });
  await page
    .getByText(/checks, nodes not read, .*\d+ only lack permissions, which one set of Roles gives\.$/)
    .waitFor();
  await line.click();
  const behind = page.getByRole('article', { name: /^Kernels of the nodes ?: not verified$/ });
  expect(await behind.locator('h3 .sr-only').textContent()).toBe(': not verified');
  const command = page.getByRole('region', { name: 'Command for all that was refused' });
  await command.waitFor();
  expect((await command.innerText()).match(/"nodes"/g)).toHaveLength(1);
  await expectGoodLooks(page);
  // The line has the focus; those behind it come next, and each letter is a letter again in a text field.
  const focused = () =>
    page.evaluate(() => document.activeElement?.closest('article')?.getAttribute('aria-labelledby'));
  await page.keyboard.press('j');
  const first = await focused();
  expect(first).toMatch(/^title-/);
  await page.keyboard.press('j');
  expect(await focused()).not.toBe(first);
  await page.keyboard.press('k');
  expect(await focused()).toBe(first);
  await page.keyboard.press('Enter');
  await page.locator(`article[aria-labelledby="${first}"] > details[open]`).waitFor();
  const search = page.getByRole('searchbox', { name: 'Filter findings by text' });
  await search.focus();
  await page.keyboard.type('jk');
  expect(await search.inputValue()).toBe('jk');
  // The findings are known now, so the dashboard comes with them: no primary action leads to what only rights can settle.
  await openCluster(page, mouse, 'narrow-rights');
  await page.getByRole('button', { name: 'Enable eBPF' }).waitFor();
  expect(await page.locator('main .bg-blue').count()).toBe(0);
});

test.each([
  ['dashboard', ''],
  ['findings', '/findings'],
])('the %s of a cluster that takes its time stand where they were awaited', async (_page, path) => {
  const { page } = await aPage(console, { width: 390 });
  await page.goto('/');
  const href = await page.getByRole('link', { name: 'slow', exact: true }).getAttribute('href');
  await page.goto(`${href}${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForTimeout(3_000);
});
