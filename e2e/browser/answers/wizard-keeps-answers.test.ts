import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AConsole, aConsole } from '../testing/a-console.ts';
import { aPage } from '../testing/a-page.ts';
import { mouse } from '../testing/hands.ts';
import { atStep, openCluster, openSteps } from '../testing/journey.ts';
import { expectGoodLooks } from '../testing/look.ts';
import { signIn } from '../testing/open-page.ts';

/** Nothing that was typed is lost: by going back, by loading again, by another tab or browser, by a session that ended. */
let console: AConsole;

beforeAll(async () => {
  console = await aConsole();
});

afterAll(() => console?.close());

const host = (page: Page) => page.getByLabel('Host name or IP address');
const port = (page: Page) => page.getByLabel('Port');
const goOn = (page: Page) => page.getByRole('button', { name: 'Continue' }).click();

/** A draft of its own; the page is at its API endpoint. */
async function atEndpoint(page: Page, cluster = 'standard'): Promise<void> {
  await openCluster(page, mouse, cluster);
  await openSteps(page, mouse, page.getByRole('button', { name: /eBPF/ }));
  await goOn(page);
  await atStep(page, 'platform');
  await goOn(page);
  await atStep(page, 'endpoint');
}

test('back and forth, loaded again, in a second tab and in a second browser: the answer is there', async () => {
  const { page, context } = await aPage(console);
  await atEndpoint(page);
  await host(page).fill('10.0.0.');
  await page.reload();
  await expect.poll(() => host(page).inputValue()).toBe('10.0.0.');
  await host(page).fill('10.0.0.11');
  await port(page).fill('6443');
  await goOn(page);
  await atStep(page, 'proxy');
  await page.goBack();
  await atStep(page, 'endpoint');
  await expect.poll(() => host(page).inputValue()).toBe('10.0.0.11');
  await page.getByRole('link', { name: 'Back' }).click();
  await atStep(page, 'platform');
  await goOn(page);
  await atStep(page, 'endpoint');
  await expect.poll(() => host(page).inputValue()).toBe('10.0.0.11');

  const tab = await context.newPage();
  await tab.goto(page.url());
  await expect.poll(() => host(tab).inputValue()).toBe('10.0.0.11');
  const other = await aPage(console);
  await other.page.goto(page.url());
  await expect.poll(() => host(other.page).inputValue()).toBe('10.0.0.11');
  expect(await port(other.page).inputValue()).toBe('6443');
});

test('answered in two browsers at once: both answers are shown, and the reader chooses', async () => {
  const first = await aPage(console);
  await atEndpoint(first.page);
  const second = await aPage(console);
  await second.page.goto(first.page.url());
  await host(second.page).waitFor();

  await host(first.page).fill('10.0.0.11');
  await port(first.page).fill('6443');
  await goOn(first.page);
  await atStep(first.page, 'proxy');

  await host(second.page).fill('api.sandbox.example');
  await port(second.page).fill('6443');
  await second.page.getByText('This step was answered in another tab or browser').waitFor();
  expect(await host(second.page).inputValue()).toBe('api.sandbox.example');
  await expectGoodLooks(second.page);
  await second.page.getByRole('button', { name: 'Use mine' }).click();
  await second.page.getByText('This step was answered in another tab or browser').waitFor({ state: 'hidden' });
  await goOn(second.page);
  await atStep(second.page, 'proxy');
  await first.page.goto(second.page.url().replace('proxy', 'endpoint'));
  await expect.poll(() => host(first.page).inputValue()).toBe('api.sandbox.example');
});

test('a reason from a tab that shows an address of before is not recorded for the one that came meanwhile', async () => {
  const { page } = await aPage(console);
  await atEndpoint(page, 'single-address');
  await host(page).fill('10.0.0.11');
  await port(page).fill('6443');
  // The cluster proposes the same address, so the typed one is stored only once the page calls it the chosen endpoint.
  const doubt = page
    .getByRole('article')
    .filter({ hasText: 'The chosen endpoint "10.0.0.11:6443"' })
    .filter({ hasText: 'Skip, with a reason' });
  await doubt.waitFor();
  const other = await aPage(console);
  await other.page.goto(page.url());
  await host(other.page).fill('10.0.0.12');
  await other.page.getByRole('article').filter({ hasText: 'The chosen endpoint "10.0.0.12:6443"' }).first().waitFor();

  await doubt.getByText(/^Skip, with a reason/).click();
  await doubt.getByLabel('Why is it safe to skip?').fill('10.0.0.11 is the load balancer');
  await doubt.getByRole('button', { name: 'Record this reason' }).click();
  await page.getByText(/were changed in another tab or browser/).waitFor();
  await other.page.reload();
  await other.page.getByRole('article').filter({ hasText: 'Skip, with a reason' }).waitFor();
  expect(await other.page.getByText('10.0.0.11 is the load balancer').count()).toBe(0);
});

test('a session that ends while something is typed: it says so, keeps what was typed, and goes on after a new sign-in', async () => {
  const { page, context, faults } = await aPage(console);
  await atEndpoint(page);
  faults.allow(/status of 401/);
  await context.clearCookies();
  await host(page).fill('10.0.0.11');
  await port(page).fill('6443');
  await goOn(page);
  await page
    .getByText(/session has ended/)
    .first()
    .waitFor();
  expect(await host(page).inputValue()).toBe('10.0.0.11');
  await expectGoodLooks(page);

  await context.addCookies([{ ...(await signIn(console)), url: console.url }]);
  await goOn(page);
  await atStep(page, 'proxy');
  await page.goBack();
  await atStep(page, 'endpoint');
  await expect.poll(() => host(page).inputValue()).toBe('10.0.0.11');
});

test('loaded again without a session, after a sign-in the page is the same and what was typed is in it', async () => {
  const { page, context, faults } = await aPage(console);
  await atEndpoint(page);
  faults.allow(/status of 401/);
  const { pathname } = new URL(page.url());
  await context.clearCookies();
  await host(page).fill('10.0.0.14');
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in to this console' }).waitFor();
  await page.getByLabel(/paste it here/).fill(await console.signInLink());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${console.url}${pathname}`);
  await expect.poll(() => host(page).inputValue()).toBe('10.0.0.14');
});

test('a draft is given a name, and the list of runs and Ctrl-K resume it by that name at the question where it was left', async () => {
  const { page } = await aPage(console);
  await atEndpoint(page, 'kubeadm-ha');
  const left = new URL(page.url()).pathname;
  await page.goto(`${left.split('/runs/')[0]}/runs`);
  await page.getByRole('button', { name: /^Rename: / }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Tuesday window');
  await dialog.getByRole('button', { name: 'Save the name' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const again = page.getByRole('button', { name: 'Rename: Tuesday window…' });
  await expect.poll(() => again.evaluate((button) => button === document.activeElement)).toBe(true);
  await expectGoodLooks(page);
  await page.getByRole('link', { name: 'Continue: Tuesday window' }).click();
  await page.waitForURL((url) => url.pathname === left);

  await openCluster(page, mouse, 'kubeadm-ha');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^A cluster, page/ }).waitFor();
  await page.keyboard.type('tuesday');
  await page.getByRole('option', { name: /^Continue: Tuesday window/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === left);
});
