import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage } from './testing/a-page.ts';
import { mouse } from './testing/hands.ts';
import { openCluster } from './testing/journey.ts';
import { expectGoodLooks } from './testing/look.ts';

let console: AConsole;

beforeAll(async () => {
  console = await aConsole();
});

afterAll(() => console?.close());

test('every sandbox is there without a kubeconfig, by heading, and leads to its dashboard; one that was used says what runs in it', async () => {
  const { page } = await aPage(console);
  await page.goto('/');
  const main = page.getByRole('main');
  await main.getByText(/^Platforms/).click();
  await main.getByText(/^Failures/).click();
  expect(await main.getByRole('listitem').count()).toBeGreaterThan(24);
  await expectGoodLooks(page);
  await openCluster(page, mouse, 'standard');
  await page.getByText('worker-5', { exact: true }).locator('visible=true').first().waitFor();
  await page.goto('/');
  await main.getByText(/^Answers/).waitFor();
});

test.each(['standard', 'bpf', 'not-ready', 'empty'])('the dashboard of %s', async (name) => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, name);
  await page.getByRole('region', { name: 'Depends on', exact: true }).waitFor();
  await expectGoodLooks(page);
});
