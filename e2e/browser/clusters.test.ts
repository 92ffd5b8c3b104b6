import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage } from './testing/a-page.ts';
import { expectGoodLooks } from './testing/look.ts';

let console: AConsole;

beforeAll(async () => {
  console = await aConsole();
});

afterAll(() => console?.close());

test('every sandbox is there without a kubeconfig, says what runs in it, and leads to its dashboard', async () => {
  const { page } = await aPage(console);
  await page.goto('/');
  await expect.poll(() => page.getByText(/^Answers/).count(), { timeout: 15_000 }).toBeGreaterThanOrEqual(7);
  await expectGoodLooks(page);
  await page.getByRole('link', { name: 'standard', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'standard' }).waitFor();
  await page.getByText('worker-5', { exact: true }).locator('visible=true').first().waitFor();
});

test.each(['standard', 'bpf', 'not-ready', 'empty'])('the dashboard of %s', async (name) => {
  const { page } = await aPage(console);
  await page.goto('/');
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.getByRole('region', { name: 'Components', exact: true }).waitFor();
  await expectGoodLooks(page);
});
