import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStore } from '#lib/kube/index.ts';
import { aCluster, serveStore } from '#lib/sandbox/index.ts';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage } from './testing/a-page.ts';
import { mouse } from './testing/hands.ts';
import { openCluster } from './testing/journey.ts';
import { expectGoodLooks } from './testing/look.ts';

let console: AConsole;

beforeAll(async () => {
  console = await aConsole();
});

afterAll(() => console?.close());

test('every sandbox is there without a kubeconfig, by heading, and leads to its dashboard; one that was used says what runs in it', async () => {
  const { page } = await aPage(console);
  await page.goto('/');
  const main = page.getByRole('main');
  await main.getByText(/^Platforms/).click();
  await main.getByText(/^Failures/).click();
  expect(await main.getByRole('listitem').count()).toBeGreaterThan(24);
  await expectGoodLooks(page, 'measure too');
  await openCluster(page, mouse, 'standard');
  await page.getByText('worker-5', { exact: true }).locator('visible=true').first().waitFor();
  await page.goto('/');
  await main.getByText('Healthy', { exact: true }).waitFor();
});

test('the list is filtered by text, from the keyboard, and the address keeps it', async () => {
  const { page } = await aPage(console);
  await page.goto('/');
  const main = page.getByRole('main');
  const field = main.getByRole('searchbox', { name: /^Filter clusters/ });
  await field.waitFor();
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('/');
  await page.keyboard.type('kube-proxy');
  await main
    .getByRole('status')
    .getByText(/^\d+ of \d+ sandboxes$/)
    .waitFor();
  const found = await main.getByRole('listitem').count();
  expect(found).toBeGreaterThan(0);
  const [left, all] = (await main.getByText(/^[0-9]+ of [0-9]+ sandboxes$/).innerText())
    .split(' of ')
    .map((count) => Number.parseInt(count, 10));
  expect(left).toBe(found);
  expect(all).toBeGreaterThan(found);
  expect(new URL(page.url()).searchParams.get('q')).toBe('kube-proxy');
  await expectGoodLooks(page, 'measure too');
  await page.reload();
  expect(await field.inputValue()).toBe('kube-proxy');
  expect(await main.getByRole('listitem').count()).toBe(found);
  await field.fill('no cluster is called so');
  await main.getByText('No cluster has all of these words').waitFor();
  await field.press('Escape');
  expect(new URL(page.url()).search).toBe('');
});

test('the switcher finds a cluster among many by a word of its name or of what it shows', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'standard');
  await page.locator('summary').filter({ hasText: 'Cluster: standard' }).locator('visible=true').click();
  await page.getByRole('searchbox', { name: 'Filter the clusters to switch to' }).fill('by-hand');
  const found = page.getByRole('link', { name: 'bpf-by-hand', exact: true }).locator('visible=true');
  await found.waitFor();
  expect(await page.getByRole('link', { name: 'kind', exact: true }).locator('visible=true').count()).toBe(0);
  await found.click();
  await page.getByRole('heading', { level: 1, name: 'bpf-by-hand' }).waitFor();
});

test('Ctrl-K leads to clusters, pages, findings and nodes by keyboard alone, starts nothing, and gives the focus back', async () => {
  const { page } = await aPage(console);
  const scripts: string[] = [];
  page.on('request', (request) => void (request.url().endsWith('.js') && scripts.push(request.url())));
  await openCluster(page, mouse, 'old-kernel');
  await page.getByRole('region', { name: 'Depends on', exact: true }).waitFor();
  const before = scripts.length;
  const findings = page.getByRole('link', { name: /^Findings/ }).locator('visible=true');
  await findings.focus();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: /^A cluster, page/ });
  await field.waitFor();
  expect(scripts.length).toBeGreaterThan(before);
  await page.getByRole('option', { name: /^Enable eBPF/ }).waitFor();
  await expectGoodLooks(page, 'measure too');
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  expect(await findings.evaluate((link) => link === document.activeElement)).toBe(true);

  await page.keyboard.press('Control+k');
  await page.keyboard.type('nodes worker-3');
  await page.getByRole('option', { name: /^worker-3/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\?node=worker-3$/);
  await page.getByRole('searchbox', { name: 'Filter nodes by name' }).waitFor();
  expect(await page.getByRole('searchbox', { name: 'Filter nodes by name' }).inputValue()).toBe('worker-3');

  await page.keyboard.press('Control+k');
  await page.keyboard.type('clusters bpf standard installation');
  await page.getByRole('option', { name: /^bpf/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'bpf', exact: true }).waitFor();
});

test('a cluster whose Services are down says so first, with the way out, and nothing on it is green', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'proxy-gone');
  const alert = page.getByRole('region', { name: 'Outage', exact: true }).getByRole('alert');
  await alert.getByText(/Services are down now/).waitFor();
  await alert.getByText(/^kubectl --context sandbox-proxy-gone -n kube-system patch daemonset kube-proxy /).waitFor();
  const plane = page.getByRole('region', { name: 'Data plane', exact: true });
  await plane.getByText('No proxy and no eBPF on 6 of 6', { exact: true }).waitFor();
  await plane.getByText('kube-proxy is off, and none of 6 nodes is on eBPF.', { exact: true }).waitFor();
  expect(await page.getByText('Standard on every node').count()).toBe(0);
  const story = page.getByRole('region', { name: 'How it came to this' });
  await story.getByText(/^Installation\/default: linuxDataplane is Iptables/).waitFor();
  await story.getByText(/^kube-system\/DaemonSet\/kube-proxy: nodeSelector is .*non-calico=true/).waitFor();
  const asked = page.getByRole('region', { name: 'Services, asked from every node' });
  await asked.getByText('not asked now', { exact: true }).waitFor();
  await expectGoodLooks(page, 'measure too');

  await alert.getByRole('button', { name: 'Restore kube-proxy' }).click();
  const start = page.getByRole('button', { name: 'Turn kube-proxy on again' });
  await start.waitFor();
  await expectGoodLooks(page, 'measure too');
  await page.getByLabel(/^Type proxy-gone to start/).fill('proxy-gone');
  await start.click();
  await page.getByText('The run is done.').first().waitFor({ timeout: 300_000 });
  await openCluster(page, mouse, 'proxy-gone');
  await page.getByText('Standard on every node').waitFor();
  expect(await page.getByRole('region', { name: 'Outage', exact: true }).count()).toBe(0);
}, 150_000);

test.each([
  ['fell-back', /worker-3 .*nothing serves Services/],
  ['endpoint-gone', /does not answer on 6 nodes/],
  ['stuck-rollout', /calico-node .*5 of 6 pods are available/],
] as const)(
  '%s is an outage as well, counted in the rail, and nobody is offered eBPF in it',
  async (name, says) => {
    const { page } = await aPage(console);
    await openCluster(page, mouse, name);
    await page.getByRole('region', { name: 'Outage', exact: true }).getByRole('alert').getByText(says).waitFor();
    const findings = page.getByRole('link', { name: 'Findings 1 outage' }).locator('visible=true');
    await findings.waitFor();
    expect(await page.getByRole('button', { name: 'Enable eBPF' }).count()).toBe(0);
    await expectGoodLooks(page, 'measure too');

    await findings.click();
    const first = page.getByRole('article').first();
    await first.getByText('Outage', { exact: true }).waitFor();
    await first.locator('summary').first().click();
    await first.getByText(says).first().waitFor();
    await expectGoodLooks(page, 'measure too');
    await page.getByRole('link', { name: /^Pass/ }).click();
    await page.waitForURL(/state=pass/);
    await page.getByRole('searchbox', { name: 'Filter findings by text' }).fill('nothing is called that');
    await page.getByText('No matching finding').waitFor();
    await page.waitForURL(/q=nothing/);
  },
  120_000,
);

test.each(['standard', 'bpf', 'not-ready', 'empty'])('the dashboard of %s', async (name) => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, name);
  await page.getByRole('region', { name: 'Depends on', exact: true }).waitFor();
  await expectGoodLooks(page, 'measure too');
});

test('a cluster that does not answer is shown by itself once it does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-comes-back-'));
  const kubeconfig = join(folder, 'kubeconfig');
  const store = createStore({ name: 'comes-back', source: 'sandbox', objects: aCluster({ now: Date.now() }) });
  const serve = () => serveStore(store, { name: 'comes-back', kubeconfig });
  const before = await serve();
  const text = readFileSync(kubeconfig, 'utf8');
  await before.close();
  writeFileSync(kubeconfig, text);
  const waiting = await aConsole({ kubeconfig });
  try {
    const { page } = await aPage(waiting);
    await page.goto('/');
    const href = await page.getByRole('link', { name: 'comes-back', exact: true }).getAttribute('href');
    await page.goto(href ?? '');
    await page.getByText('The API server of comes-back does not answer').waitFor();
    await expectGoodLooks(page, 'measure too');
    const served = await serve();
    await page.getByText('worker-5', { exact: true }).locator('visible=true').first().waitFor({ timeout: 60_000 });
    await page.close();
    await served.close();
  } finally {
    await waiting.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
