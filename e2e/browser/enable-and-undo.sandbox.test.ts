import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage } from './testing/a-page.ts';
import { mouse } from './testing/hands.ts';
import { answerWizard, openCluster, runSays, startRun, takeBack } from './testing/journey.ts';
import { pageChecks } from './testing/look.ts';
import { standsStill } from './testing/stands-still.ts';
import { expectWholeWords } from './testing/whole-words.ts';

/** The whole journey on a sandbox: answers, the changes, the switch, every node, and back. */
let console: AConsole;

beforeAll(async () => {
  console = await aConsole();
});

afterAll(() => console?.close());

test('by mouse: every screen on the way is accessible in both themes and at every width', async () => {
  const { page } = await aPage(console);
  const { look: looks, finish } = pageChecks(page, 'measure too');
  const look = async (screen: string) => {
    const most = mostScreens[screen];
    if (most !== undefined) expect(await screensOf(page), screen).toBeLessThanOrEqual(most);
    await looks(screen);
  };
  await openCluster(page, mouse, 'standard');
  await answerWizard(page, mouse, { look });
  await startRun(page, mouse, 'standard');
  await page.getByRole('list', { name: /What happened/ }).waitFor();
  const still = await standsStill(page);
  await look('a run that moves');
  await runSays(page, /^Done/);
  await still('the run is done');
  await look('a run that is done');
  await expectWholeWords(page, page.locator('li[id^="step-"] > button'), [320]);
  // An address that names a step renders with that step open, so that nothing moves (faults.ts), and shows what the step did.
  const { page: sent } = await aPage(console);
  await sent.goto(`${new URL(page.url()).pathname}#step-4`);
  await sent.getByRole('region', { name: 'Inside of step 4' }).getByText('Read at').waitFor();
  await sent.close();
  await page.getByRole('button', { name: 'Undo…' }).click();
  await page.getByRole('dialog').getByRole('textbox').waitFor();
  await look('the way back');
  await page.keyboard.press('Escape');
  await takeBack(page, mouse, 'standard');
  await runSays(page, /^Undone/);
  await still('the run was undone');
  await look('a run that was undone');
  await page.getByRole('link', { name: 'Open the report' }).click();
  await page.waitForURL(/\/report$/);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await look('the report');
  // As Chromium prints it: every step and diff is folded away.
  expect(pagesOf(await page.pdf({ format: 'A4' }))).toBeLessThanOrEqual(2);
  const { page: paper } = await aPage(console, { theme: 'dark' });
  await paper.emulateMedia({ media: 'print' });
  await paper.goto(page.url());
  await paper.getByRole('heading', { level: 1 }).waitFor();
  const [red] = await paper.evaluate(() => /\d+/.exec(getComputedStyle(document.body).color) ?? []);
  expect(Number(red), 'ink is dark on paper').toBeLessThan(60);
  await paper.close();
  await page.getByRole('navigation').getByRole('link', { name: 'Runs' }).click();
  await page.getByRole('group', { name: 'Runs' }).waitFor();
  await look('the list of runs');
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /Findings/ })
    .click();
  await page.waitForURL(/\/findings$/);
  // While it is judged the page has its heading already, and a line for each check.
  await page.getByText(/checks, 6 nodes/).waitFor();
  await look('findings of a healthy cluster');
  finish();
});

/** The largest height of a page when it is opened, in windows of 900 px. */
const mostScreens: Readonly<Record<string, number>> = { review: 2, 'findings of a healthy cluster': 1 };

async function screensOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollHeight / window.innerHeight);
}

function pagesOf(pdf: Buffer): number {
  return [...pdf.toString('latin1').matchAll(/\/Type\s*\/Page\b/g)].length;
}
