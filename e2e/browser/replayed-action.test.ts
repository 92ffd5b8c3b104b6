import type { Request } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage } from './testing/a-page.ts';
import { mouse } from './testing/hands.ts';
import { answerWizard, openCluster, runSays, startForm, startRun } from './testing/journey.ts';

let console: AConsole;

beforeAll(async () => {
  console = await aConsole();
});

afterAll(() => console?.close());

test('what the browser sent to start and to stop a run is sent again, word for word: nothing happens a second time', async () => {
  const { page } = await aPage(console);
  const actions: Request[] = [];
  page.on('request', (request) => {
    if (request.headers()['next-action'] !== undefined) actions.push(request);
  });
  await openCluster(page, mouse, 'standard');
  await answerWizard(page, mouse);
  const runs = page.url().replace(/\/runs\/.*$/, '/runs');
  expect(await startForm(page).count()).toBe(1);
  await startRun(page, mouse, 'standard');
  const start = actions.at(-1);
  await page.getByRole('button', { name: 'Stop…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: /^Stop/ }).click();
  await runSays(page, /^Stopped/);
  const stop = actions.at(-1);
  if (!start || !stop || start === stop) throw new Error('the actions were not seen');

  const shown = () =>
    page
      .getByRole('list', { name: /What happened/ })
      .getByRole('listitem')
      .allInnerTexts();
  // What the journal holds: the page that followed the run may have lines that only its stream had.
  await page.reload();
  await runSays(page, /^Stopped/);
  const before = await shown();
  for (const action of [start, stop]) expect(await replayed(action)).toBe(200);
  await page.waitForTimeout(2000);
  await page.reload();
  await runSays(page, /^Stopped/);
  expect(await shown()).toEqual(before);
  await page.goto(runs);
  await page.getByRole('group', { name: 'Runs' }).waitFor();
  expect(await page.getByRole('group', { name: 'Runs' }).getByRole('row').count()).toBe(2);

  /** By a script in the page itself, as the strongest thing that a stolen tab could do. */
  function replayed(action: Request): Promise<number> {
    const { 'next-action': id = '', 'content-type': type = '', 'next-router-state-tree': tree = '' } = action.headers();
    const body = action.postDataBuffer()?.toString('base64') ?? '';
    return page.evaluate(
      async ({ url, headers, body }) => {
        const bytes = Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
        const answer = await fetch(url, { method: 'POST', headers, body: bytes });
        await answer.text();
        return answer.status;
      },
      {
        url: action.url(),
        headers: {
          'Next-Action': id,
          'Content-Type': type,
          Accept: 'text/x-component',
          'Next-Router-State-Tree': tree,
        },
        body,
      },
    );
  }
});
