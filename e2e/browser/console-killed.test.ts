import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage } from './testing/a-page.ts';
import { connectionErrors } from './testing/faults.ts';
import { mouse } from './testing/hands.ts';
import { answerWizard, openCluster, runSays, startRun } from './testing/journey.ts';
import { expectGoodLooks } from './testing/look.ts';
import { standsStill } from './testing/stands-still.ts';

let console: AConsole;

beforeAll(async () => {
  console = await aConsole();
});

afterAll(() => console?.close());

test('the console is killed in the middle of a run and started again: the page says who is away, reconnects by itself, and the run goes on to its end', async () => {
  const { page, faults } = await aPage(console);
  faults.allow(connectionErrors);
  await openCluster(page, mouse, 'standard');
  await answerWizard(page, mouse);
  await startRun(page, mouse, 'standard');
  await page
    .getByRole('list', { name: /What happened/ })
    .getByText(/Switch 6 nodes to eBPF/)
    .first()
    .waitFor();
  const { pathname } = new URL(page.url());

  const still = await standsStill(page);
  await console.kill();
  await page.getByText('The console does not answer', { exact: true }).waitFor();
  await still('the console is away');
  await expectGoodLooks(page);
  await console.restart();
  await page.getByText('The console does not answer', { exact: true }).waitFor({ state: 'hidden' });
  await runSays(page, /^Done/);
  await still('the run is done');
  expect(new URL(page.url()).pathname).toBe(pathname);
  const runs = await page.goto(pathname.replace(/\/[^/]+$/, ''));
  expect(runs?.status()).toBe(200);
  await page.getByRole('group', { name: 'Runs' }).waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
});

test('a link that is followed while the console is away opens when it is back, and the focus stays where it was', async () => {
  const { page, faults } = await aPage(console);
  faults.allow(connectionErrors);
  await openCluster(page, mouse, 'standard');
  const { pathname } = new URL(page.url());
  await console.kill();
  await page
    .getByRole('link', { name: /^Findings/ })
    .first()
    .click();
  await page.getByText(/The page opens when it does/).waitFor();
  expect(new URL(page.url()).pathname).toBe(pathname);
  await console.restart();
  await page.waitForURL(/\/findings$/);
  await page.getByText(/The page opens when it does/).waitFor({ state: 'hidden' });

  const again = page.getByRole('button', { name: /^Check (all )?again/ }).first();
  await again.focus();
  await page.keyboard.press('Enter');
  await page.waitForTimeout(2_000);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON');
});
