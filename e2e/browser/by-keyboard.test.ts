import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage } from './testing/a-page.ts';
import { keys } from './testing/hands.ts';
import { answerWizard, openCluster, runSays, startRun, takeBack } from './testing/journey.ts';

let console: AConsole;

beforeAll(async () => {
  console = await aConsole();
});

afterAll(() => console?.close());

test('the whole journey by keyboard alone: every control is reached by Tab, and is never hidden when it has the focus', async () => {
  const { page } = await aPage(console);
  const hands = keys(page);
  await openCluster(page, hands, 'standard');
  await answerWizard(page, hands);
  await startRun(page, hands, 'standard');
  await runSays(page, /^Done/);
  await takeBack(page, hands, 'standard');
  await runSays(page, /^Undone/);
  expect(page.url()).toMatch(/\/runs\/[^/]+$/);
});
