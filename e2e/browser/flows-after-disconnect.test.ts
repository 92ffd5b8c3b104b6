import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FlowPlane, startFlowPlane } from '#e2e/contract/testing/flow-plane.ts';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage } from './testing/a-page.ts';
import { type Cable, cableTo } from './testing/cable.ts';
import { connectionErrors } from './testing/faults.ts';
import { mouse } from './testing/hands.ts';
import { openCluster } from './testing/journey.ts';
import { expectGoodLooks } from './testing/look.ts';
import { savedFile } from './testing/saved-file.ts';

/** Away and back: the browser's network, the console, and what flows come from. */
let flows: FlowPlane;
let console: AConsole;
let cable: Cable;

beforeAll(async () => {
  flows = await startFlowPlane();
  await flows.enable();
  console = await aConsole({ kubeconfig: flows.plane.kubeconfig });
  cable = await cableTo(console);
});

afterAll(async () => {
  cable?.close();
  await console?.close();
  await flows?.stop();
});

test('a page that was offline while flows came shows each once when it is back, the same as a page that was never away', async () => {
  const { page, faults } = await aPage(console, { through: cable });
  faults.allow(connectionErrors);
  await openCluster(page, mouse, 'flow-logs');
  const path = `${new URL(page.url()).pathname}/flows`;
  await page.goto(path);
  await page.getByText(/^live · /).waitFor();
  const { page: other } = await aPage(console);
  await other.goto(path);
  // Both pages show the newest flow that the console had before the cut.
  await expect.poll(async () => (await newest(page)) === (await newest(other)), { timeout: 60_000 }).toBe(true);

  cable.pull();
  const then = await newest(page);
  await page.getByText(/^(reconnecting|browser offline)/).waitFor();
  await expectGoodLooks(page);
  await expect.poll(() => newest(other), { timeout: 60_000 }).not.toBe(then);
  expect(await newest(page)).toBe(then);
  cable.plug();
  await page.getByText(/^live · /).waitFor();
  await expect.poll(async () => (await newest(page)) === (await newest(other)), { timeout: 60_000 }).toBe(true);

  const back = await exported(page);
  const ids = back.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
  // Either may have more of the time before, and the other gets more while this one is asked: of the time between, both have all.
  const last = Math.max(...back.map(({ end }) => Date.parse(end)));
  const uncut = (await exported(other)).filter(
    ({ end }) => Date.parse(end) >= Date.parse(then) && Date.parse(end) < last,
  );
  expect(uncut.length).toBeGreaterThan(20);
  expect(new Set(ids)).toEqual(new Set([...ids, ...uncut.map(({ id }) => id)]));
});

test('a console that is killed and started again tells what came meanwhile, and nothing twice', async () => {
  const { page, faults } = await aPage(console);
  faults.allow(connectionErrors);
  await openCluster(page, mouse, 'flow-logs');
  await page.goto(`${new URL(page.url()).pathname}/flows`);
  const then = await newest(page);
  await console.kill();
  await page.getByText(/^reconnecting/).waitFor();
  await console.restart();
  await page.getByText(/^live · /).waitFor();
  await expect.poll(() => newest(page), { timeout: 60_000 }).not.toBe(then);
  const exports = await exported(page);
  expect(new Set(exports.map(({ id }) => id)).size).toBe(exports.length);
  const ends = [...new Set(exports.map(({ end }) => Date.parse(end) / 1000))].sort((a, b) => a - b);
  // The sample has flows of every 15 s: none of them is missing, from before to after.
  expect(ends.slice(1).map((end, index) => end - (ends[index] ?? 0))).toEqual(ends.slice(1).map(() => 15));
  expect(ends.some((end) => end <= Date.parse(then) / 1000)).toBe(true);
});

test('an aggregator that goes and comes back as another: the page says so at both, and which flows it has once', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'signalbox-test');
  await page.goto(`${new URL(page.url()).pathname}/flows`);
  await page.getByText(/^live · /).waitFor();
  await expect.poll(() => page.getByRole('table').getByRole('row').count()).toBeGreaterThan(20);
  const before = await exported(page);

  await flows.stopAggregator();
  const away = page.getByText('No flows at the moment', { exact: true });
  await away.waitFor();
  await page.getByText(/^no flows · /).waitFor();
  // The API server answers all the while.
  expect(await page.getByText('API server does not answer', { exact: false }).count()).toBe(0);
  await expectGoodLooks(page);
  await flows.replacePod();
  await flows.startAggregator();
  await page.getByText('Some flows were lost', { exact: true }).waitFor();
  await away.waitFor({ state: 'hidden' });
  await expectGoodLooks(page);
  const after = (await exported(page)).map(({ id }) => id);
  expect(after).toEqual([...new Set(after)]);
  expect(new Set(after)).toEqual(new Set([...after, ...before.map(({ id }) => id)]));
});

type Exported = { readonly id: string; readonly end: string };

async function exported(page: Page): Promise<Exported[]> {
  await page.getByText('Export', { exact: true }).click();
  const { text } = await savedFile(page, () => page.getByRole('button', { name: 'NDJSON, one flow a line' }).click());
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** When the newest flow of the table ended. */
async function newest(page: Page): Promise<string> {
  return (await page.getByRole('table').locator('time').first().getAttribute('datetime')) ?? '';
}
