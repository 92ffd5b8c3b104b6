import { afterAll, beforeAll, test } from 'vitest';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage } from './testing/a-page.ts';
import { mouse } from './testing/hands.ts';
import { answerWizard, openCluster, startRun, takeBack } from './testing/journey.ts';
import { expectGoodLooks } from './testing/look.ts';

/** The whole journey on a sandbox: answers, the changes, the switch, every node, and back. */
let console: AConsole;

beforeAll(async () => {
  console = await aConsole();
});

afterAll(() => console?.close());

test('by mouse: every screen on the way is accessible in both themes and at every width', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'standard');
  await answerWizard(page, mouse, { look: () => expectGoodLooks(page) });
  await startRun(page, mouse, 'standard');
  await page
    .getByText(/worker-5/)
    .first()
    .waitFor();
  await expectGoodLooks(page);
  await page
    .getByText(/is done/)
    .first()
    .waitFor({ timeout: 90_000 });
  await expectGoodLooks(page);
  await takeBack(page, mouse, 'standard');
  await page
    .getByText(/was taken back/)
    .first()
    .waitFor({ timeout: 90_000 });
  await expectGoodLooks(page);
});
