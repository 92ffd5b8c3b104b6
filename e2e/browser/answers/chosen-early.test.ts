import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AConsole, aConsole } from '../testing/a-console.ts';
import { aPage } from '../testing/a-page.ts';
import { mouse } from '../testing/hands.ts';
import { answerUntilRelease } from '../testing/install-journey.ts';
import { atStep, openCluster, openSteps, startForm } from '../testing/journey.ts';

/** A page can be used as soon as it is seen: what a user chooses or types before its scripts are loaded counts like everything after that. */
let console: AConsole;

beforeAll(async () => {
  console = await aConsole();
});

afterAll(() => console?.close());

/** Opens an address, and holds back its scripts until the returned function is called. */
async function openWithoutScripts(page: Page, address: string): Promise<() => Promise<void>> {
  const held: (() => Promise<void>)[] = [];
  let isHeld = true;
  await page.route('**/_next/static/**/*.js*', async (route) => {
    if (isHeld) held.push(() => route.continue());
    else await route.continue();
  });
  await page.goto(address, { waitUntil: 'commit' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  return async () => {
    isHeld = false;
    await Promise.all(held.map((go) => go()));
  };
}

/** The address of the first step of a new draft. */
async function firstStep(page: Page): Promise<string> {
  await openCluster(page, mouse, 'standard');
  await openSteps(page, mouse, page.getByRole('button', { name: /eBPF/ }));
  return page.url();
}

test('a radio button of a step stays chosen, and is saved without another choice', async () => {
  const { page, context } = await aPage(console);
  const address = await firstStep(page);
  const upgrade = (where: Page) => where.getByRole('radio', { name: /^Upgrade/ });
  const release = await openWithoutScripts(page, address);
  await upgrade(page).check();
  await release();
  const other = await context.newPage();
  const isSaved = () => other.goto(address).then(() => upgrade(other).isChecked());
  await expect.poll(isSaved, { timeout: 30_000 }).toBe(true);
  expect(await upgrade(page).isChecked()).toBe(true);
});

test('an address that is typed stays, and is saved without another key', async () => {
  const { page, context } = await aPage(console);
  const address = (await firstStep(page)).replace(/goal$/, 'endpoint');
  const typed = async (where: Page) =>
    `${await where.getByLabel('Host name or IP address').inputValue()}:${await where.getByLabel('Port').inputValue()}`;
  const release = await openWithoutScripts(page, address);
  await page.getByLabel('Host name or IP address').fill('10.0.0.11');
  await page.getByLabel('Port').fill('6444');
  await release();
  const other = await context.newPage();
  await expect.poll(() => other.goto(address).then(() => typed(other)), { timeout: 30_000 }).toBe('10.0.0.11:6444');
  expect(await typed(page)).toBe('10.0.0.11:6444');
});

test('a release and its mirror stay chosen, although the step’s own script comes after the form', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'empty-kubeadm');
  await answerUntilRelease(page, mouse);
  const release = await openWithoutScripts(page, page.url());
  await page.getByRole('radio', { name: /^v3\.31\.4/ }).check();
  await page.getByRole('radio', { name: /^A mirror/ }).check();
  await release();
  await page.getByLabel('Address of the mirror').fill('http://127.0.0.1:9');
  await page.getByRole('button', { name: 'Get the files of v3.31.4' }).waitFor();
  expect(await page.getByRole('radio', { name: /^A mirror/ }).isChecked()).toBe(true);
});

test('the decision about an own change stays, and opens the field that it needs', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'calico-manifest-3.30');
  await page.getByRole('button', { name: /^Upgrade Calico to / }).click();
  await atStep(page, 'ready');
  const address = page.url().replace(/ready$/, 'changes');
  const mtu = page.getByRole('group', { name: 'data.veth_mtu' });
  const write = mtu.getByRole('radio', { name: /^Write this/ });
  // The step needs the files of its release.
  await page.goto(address);
  await write.waitFor();
  const release = await openWithoutScripts(page, address);
  await write.check();
  await release();
  await mtu.getByRole('textbox').waitFor();
  expect(await write.isChecked()).toBe(true);
});

test('outside of steps a chosen look is applied, and a typed filter filters findings', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'standard');
  const release = await openWithoutScripts(page, `${new URL(page.url()).pathname}/findings`);
  await page.getByRole('combobox', { name: 'Look' }).selectOption('dark');
  await page.getByLabel('Filter findings by text').fill('kernel');
  await release();
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  await page.waitForURL(/q=kernel/);
});

test('a cluster’s name that is typed below a plan wakes its button', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'proxy-gone');
  await page.getByRole('button', { name: 'Restore kube-proxy' }).click();
  await page.waitForURL(/\/runs\/draft-[^/]+\/[a-z]+$/);
  const release = await openWithoutScripts(page, page.url().replace(/[a-z]+$/, 'review'));
  await startForm(page).getByRole('textbox').fill('proxy-gone');
  await release();
  await startForm(page).getByRole('button', { disabled: false }).waitFor();
  expect(await startForm(page).getByRole('textbox').inputValue()).toBe('proxy-gone');
});

test('text that an input method is still composing goes on when the scripts are there, and is filtered by', async () => {
  const { page, context } = await aPage(console);
  await openCluster(page, mouse, 'standard');
  const release = await openWithoutScripts(page, `${new URL(page.url()).pathname}/findings`);
  const field = page.getByLabel('Filter findings by text');
  await page.bringToFront();
  await field.click();
  const keyboard = await context.newCDPSession(page);
  const compose = (text: string) =>
    keyboard.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  // The browser tells its input methods of the focus a moment later, and of none in a page behind others.
  await expect.poll(() => compose('にほ').then(() => field.inputValue())).toBe('にほ');
  await release();
  await page.waitForURL((url) => url.searchParams.get('q') === 'にほ');
  await compose('にほん');
  await keyboard.send('Input.insertText', { text: '日本' });
  await page.waitForURL((url) => url.searchParams.get('q') === '日本');
  expect(await field.inputValue()).toBe('日本');
});
