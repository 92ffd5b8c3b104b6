import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage } from './testing/a-page.ts';
import { mouse } from './testing/hands.ts';
import { answerWizard, openCluster, runSays, startRun, takeBack } from './testing/journey.ts';
import { looker } from './testing/look.ts';
import { standsStill } from './testing/stands-still.ts';

/** The whole journey on a sandbox: answers, the changes, the switch, every node, and back. */
let console: AConsole;

beforeAll(async () => {
  console = await aConsole();
});

afterAll(() => console?.close());

test('by mouse: every screen on the way is accessible in both themes and at every width', async () => {
  const { page, faults } = await aPage(console);
  // Its log and its steps grow under the reader's eyes; nothing else may move (stands-still.ts).
  faults.allow(/moved by 0\.0.*\/runs\/\d/);
  const { look, finish } = looker(page);
  await openCluster(page, mouse, 'standard');
  await answerWizard(page, mouse, { look });
  await startRun(page, mouse, 'standard');
  await page.getByRole('list', { name: /What happened/ }).waitFor();
  const still = await standsStill(page);
  await look('a run that moves');
  await runSays(page, /^Done/);
  await still('the run is done');
  await look('a run that is done');
  await page.getByRole('button', { name: 'Undo…' }).click();
  await page.getByRole('dialog').getByRole('textbox').waitFor();
  await look('the way back');
  await page.keyboard.press('Escape');
  await takeBack(page, mouse, 'standard');
  await runSays(page, /^Taken back/);
  await still('the run was taken back');
  await look('a run that was taken back');
  await page.getByRole('link', { name: 'Open the report' }).click();
  await page.waitForURL(/\/report$/);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await look('the report');
  // As Chromium prints it: every step and diff is folded away.
  expect(pagesOf(await page.pdf({ format: 'A4' }))).toBeLessThanOrEqual(2);
  await page.getByRole('navigation').getByRole('link', { name: 'Runs' }).click();
  await page.getByRole('group', { name: 'Runs' }).waitFor();
  await look('the list of runs');
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /Findings/ })
    .click();
  await page.waitForURL(/\/findings$/);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await look('findings');
  finish();
});

function pagesOf(pdf: Buffer): number {
  return [...pdf.toString('latin1').matchAll(/\/Type\s*\/Page\b/g)].length;
}
