import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage } from './testing/a-page.ts';
import { type AwkwardCluster, awkwardCluster } from './testing/awkward-cluster.ts';
import { mouse } from './testing/hands.ts';
import { atStep, openCluster, openSteps } from './testing/journey.ts';
import { expectGoodLooks } from './testing/look.ts';
import { expectWholeWords } from './testing/whole-words.ts';

/** Where lines end, and where the page's edge is: no word is broken, and nothing moves aside when a scrollbar comes. */
let live: AwkwardCluster;
let console: AConsole;

beforeAll(async () => {
  live = await awkwardCluster('live', {});
  console = await aConsole({ kubeconfig: live.kubeconfig });
});

afterAll(async () => {
  await console?.close();
  await live?.close();
});

/** An address as a cloud gives one: longer than a telephone is wide, of words that have room. */
const host = 'internal-k8s-kubesystem-apiserver-0123456789.elb.eu-central-1.amazonaws.example';

const toEndpoint = async (page: Page) => {
  await openCluster(page, mouse, 'live');
  await openSteps(page, mouse, page.getByRole('button', { name: 'Enable eBPF' }));
  const draft = page.url().replace(/\/goal$/, '');
  await page.goto(`${draft}/endpoint`);
  await atStep(page, 'endpoint');
  return draft;
};

test('evidence of an endpoint, and what stands beside it to be typed, breaks no word and no address', async () => {
  const { page } = await aPage(console);
  const draft = await toEndpoint(page);
  const seen = page.getByRole('region', { name: /^(What was seen of|Facts about)/ });
  await seen.getByText('Each API server behind it, asked by itself').waitFor();
  await seen.getByText(/^10\.0\.0\.11/).waitFor();
  await expectWholeWords(page, seen);

  await page.getByLabel('Host name or IP address').fill(host);
  await page.getByLabel('Port').fill('6443');
  await page.getByLabel('Port').blur();
  await page.getByRole('region', { name: `What was seen of ${host}:6443` }).waitFor();
  // *Continue* uses the typed address and is the only primary action.
  await page.getByRole('button', { name: 'Use this address' }).waitFor();
  expect(await page.locator('main button.bg-blue').count()).toBe(1);
  await expectWholeWords(page, seen);
  await expectWholeWords(page, page.locator('pre'));
  await expectGoodLooks(page);

  await page.goto(`${draft}/compatibility`);
  await page.getByText('What the pods run, and which objects are created').click();
  for (const text of ['Objects as YAML', 'Script']) await page.getByText(text, { exact: true }).click();
  await expectWholeWords(page, page.locator('pre'));
});

test('what a finding read is a table on a desk and lines on a telephone, and breaks no word', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'single-address');
  await page.goto(`${page.url()}/findings`);
  await page.getByRole('heading', { name: 'The endpoint depends on a single machine' }).click();
  await page.locator('details[open] summary').filter({ hasText: 'What was read' }).click();
  const read = page.getByRole('group', { name: 'What was read' });
  await read.waitFor();
  await expectWholeWords(page, read.locator('td'));
  await page.setViewportSize({ width: 390, height: 844 });
  const sideways = await read.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect(sideways, 'it scrolls sideways').toBeLessThanOrEqual(0);
});

test('what the dashboard depends on, and what ends an outage, breaks no word on the narrowest screen', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'proxy-gone');
  const depends = page.getByRole('region', { name: 'Depends on', exact: true });
  await depends.getByText('api.sandbox.example:6443').waitFor();
  await expectWholeWords(page, depends.locator('dd'), [320]);
  await expectWholeWords(page, page.getByRole('region', { name: 'Outage', exact: true }).locator('code'), [320, 1280]);
});

test('panels of the dashboard end where what they hold ends', async () => {
  const { page } = await aPage(console, { width: 1280, height: 900 });
  await openCluster(page, mouse, 'standard');
  await page.getByText('nothing to undo: no run here yet', { exact: false }).waitFor();
  const blank = (name: string) =>
    page.getByRole('region', { name, exact: true }).evaluate((panel) => {
      const held = panel.lastElementChild?.getBoundingClientRect().bottom ?? 0;
      return panel.getBoundingClientRect().bottom - held;
    });
  for (const name of ['Components', 'Depends on']) expect(await blank(name), name).toBeLessThan(24);
});

test('a page that grows beyond the window stays where it is: the scrollbar has its room before it comes', async () => {
  const { page } = await aPage(console, { width: 1280, height: 900 });
  await openCluster(page, mouse, 'standard');
  await page.goto(`${page.url()}/findings`);
  const filter = page.getByRole('link', { name: /^Pass/ });
  await filter.waitFor();
  const edges = () =>
    page.evaluate(() => {
      const { scrollHeight, clientHeight } = document.documentElement;
      const { x, right } = document.querySelector('main')?.getBoundingClientRect() ?? { x: 0, right: 0 };
      return { scrolls: scrollHeight > clientHeight, x, right };
    });
  const short = await edges();
  await filter.click();
  await expect.poll(async () => (await edges()).scrolls).toBe(true);
  expect(await edges()).toEqual({ ...short, scrolls: true });
  expect(short.scrolls).toBe(false);
  // In this browser a scrollbar takes room: without the gutter the page would have moved.
  await page.evaluate(() => document.documentElement.style.setProperty('scrollbar-gutter', 'auto'));
  await page.getByRole('link', { name: /^Open/ }).click();
  await expect.poll(async () => (await edges()).scrolls).toBe(false);
  expect((await edges()).right).toBeGreaterThan(short.right);
});
