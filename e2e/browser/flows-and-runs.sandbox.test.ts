import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage } from './testing/a-page.ts';
import { mouse } from './testing/hands.ts';
import { openCluster, runSays, startForm } from './testing/journey.ts';
import { expectGoodLooks } from './testing/look.ts';

let console: AConsole;

beforeAll(async () => {
  console = await aConsole();
});

afterAll(() => console?.close());

test('a suggested policy is reviewed as a plan and made, and flows are compared with the time before that run', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'flow-logs');
  const flows = `${new URL(page.url()).pathname}/flows`;
  await page.goto(`${flows}?show=suggest&of=payments%2Fledger-db`);
  await page.getByRole('region', { name: 'Policy as YAML' }).getByText('kind: StagedNetworkPolicy').waitFor();
  await expectGoodLooks(page);
  await page.getByRole('button', { name: 'Review as a plan' }).click();
  await page.waitForURL(/\/review$/);
  await startForm(page).waitFor();
  await expectGoodLooks(page);
  await startForm(page).getByRole('button', { name: 'Make the staged policy' }).click();
  await page.waitForURL(/\/runs\/(?!draft-)[^/]+$/);
  await runSays(page, /^Done/);
  const run = new URL(page.url()).pathname;

  await page.goto(`${flows}?show=changes`);
  const before = page.getByRole('combobox', { name: 'Compare with the time before run' });
  await before.waitFor();
  expect(await before.inputValue()).toBe(run.split('/').at(-1));
});
