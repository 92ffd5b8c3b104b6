import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage } from './testing/a-page.ts';
import { expectMeasure, expectNoSideways } from './testing/accessible.ts';
import { mouse } from './testing/hands.ts';
import { atStep, openCluster, runSays, startForm, startRun, takeBack } from './testing/journey.ts';
import { expectLevel } from './testing/level-columns.ts';
import { savedFile } from './testing/saved-file.ts';

/** The answers before a run and the run's steps, as the pages of the run and of its report show them later. */
let console: AConsole;

beforeAll(async () => {
  console = await aConsole();
});

afterAll(() => console?.close());

const reason = 'upgrades skip the phase';
const accepted = (page: Page) => page.getByRole('region', { name: 'Accepted risks' });

test('a reason stands on the page of the run and in its report; the report tells drift; a started draft opens its run, and a URL in the field of the host is taken apart', async () => {
  const { page } = await aPage(console);
  const draft = await begin(page);
  const offered = page.getByRole('region', { name: 'Fixed by the plan' });
  await offered.getByText('Leave it out…').first().click();
  await offered.getByRole('textbox').first().fill(reason);
  await offered.getByRole('button', { name: 'Record this reason' }).first().click();
  await offered.getByText('left out', { exact: true }).waitFor();

  await page.goto(`${draft}/review`);
  await startForm(page).waitFor();
  const steps = page.locator('details[name="review-step"] > summary').locator('visible=true');
  await steps.nth(0).click();
  await steps.nth(1).click();
  expect(await page.locator('details[name="review-step"][open]').count()).toBe(1);
  await page.evaluate(() => scrollTo(0, 0));
  const footer = await startForm(page).boundingBox();
  expect((footer?.y ?? 0) + (footer?.height ?? 0)).toBeLessThanOrEqual(900);
  await startRun(page, mouse, name);
  await runSays(page, /^Done/);
  await accepted(page).getByText(`“${reason}”`).first().waitFor();
  await wide(page);
  await page.setViewportSize({ width: 1920, height: 1080 });
  await expectLevel(page, 'Steps', 'What happened');
  await page.setViewportSize({ width: 1440, height: 900 });
  const run = new URL(page.url()).pathname;
  await page.goto(`${draft}/review`);
  await page.waitForURL((url) => url.pathname === run);

  await page.goto(`${run}/report`);
  await accepted(page).getByText(`“${reason}”`).first().waitFor();
  await page.getByRole('button', { name: 'Check for drift since then' }).click();
  await page.getByText(/^As the run left it: \d+ values compared/).waitFor();
  // Paper goes to others: its commands do not name the cluster by flags of this machine.
  const back = page.getByRole('region', { name: 'Undo', exact: true });
  await back.getByText(`--sandbox ${name}`, { exact: false }).waitFor();
  await page.emulateMedia({ media: 'print' });
  const printed = await page.getByRole('main').innerText();
  expect(printed).toContain(`signalbox undo ${run.split('/').at(-1)}`);
  expect(printed).not.toMatch(/--(?:sandbox|context|kubeconfig)\b/);
  await page.setViewportSize(paper);
  const figures = await page.getByRole('main').locator('dl').first().locator('dt').all();
  const tops = await Promise.all(figures.map(async (figure) => (await figure.boundingBox())?.y));
  expect([tops.length, new Set(tops).size]).toEqual([5, 1]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ media: 'screen' });
  const file = page.getByRole('link', { name: 'End state for Git' });
  expect((await savedFile(page, () => file.click())).name).toMatch(/\.yaml$/);
  await wide(page);

  await page.goto(run);
  await takeBack(page, mouse, name);
  await runSays(page, /^Undone/);
  const next = await begin(page);
  await page.goto(`${next}/endpoint`);
  const host = page.getByLabel('Host name or IP address');
  await host.fill('https://api.example:6443/healthz');
  await host.press('Tab');
  await expect.poll(() => host.inputValue()).toBe('api.example');
  expect(await page.getByLabel('Port').inputValue()).toBe('6443');
});

const name = 'standard';

/** A4 within Chromium's margins, px. */
const paper = { width: 717, height: 1046 };

/** Answers the path of a new draft. */
async function begin(page: Page): Promise<string> {
  await openCluster(page, mouse, name);
  await page.getByRole('button', { name: 'Enable eBPF' }).click();
  await atStep(page, 'ready');
  await page.getByRole('heading', { name: 'Found' }).waitFor();
  return new URL(page.url()).pathname.replace(/\/ready$/, '');
}

/** Text keeps a measure, and its size, however broad the window is; nothing is beside it. */
async function wide(page: Page): Promise<void> {
  const before = page.viewportSize() ?? { width: 1440, height: 900 };
  const at1440 = await trackLetters(page);
  for (const width of [1920, 2560]) {
    await page.setViewportSize({ width, height: 1200 });
    await expectNoSideways(page);
    await expectMeasure(page);
    if (at1440 > 0) expect((await trackLetters(page)) / at1440).toBeLessThan(1.25);
  }
  await page.setViewportSize(before);
}

/** The height of the letters of the drawn track, px; 0 if there is no track. */
function trackLetters(page: Page): Promise<number> {
  return page.evaluate(() => {
    const track = [...document.querySelectorAll('main svg text')].filter((one) => one.checkVisibility());
    return track[0]?.getBoundingClientRect().height ?? 0;
  });
}
