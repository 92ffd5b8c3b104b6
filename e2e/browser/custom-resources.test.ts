import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage } from './testing/a-page.ts';
import { atResources } from './testing/at-resources.ts';
import { keys, mouse } from './testing/hands.ts';
import { atStep } from './testing/journey.ts';
import { expectGoodLooks } from './testing/look.ts';

/** The Installation as a form and as YAML: two views of one document, and nothing goes on that the operator would refuse. */
let console: AConsole;

beforeAll(async () => {
  console = await aConsole();
});

afterAll(() => console?.close());

const view = (page: Page, name: 'Form' | 'YAML') => page.getByRole('button', { name, exact: true }).click();
const editor = (page: Page) => page.getByRole('textbox', { name: 'Installation, as YAML' });
const text = async (page: Page) => (await page.locator('.cm-line').allTextContents()).join('\n');
const goOn = (page: Page) => page.getByRole('button', { name: 'Continue' });
const opened = (page: Page) => page.locator('.cm-content').waitFor();

/** Replaces the whole text, as by hand. */
async function retype(page: Page, yaml: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(yaml);
}

test('what is changed in the form stands in the YAML, and the other way round; a remark stays', async () => {
  const { page } = await aPage(console);
  await atResources(page, mouse, 'empty-kubeadm');
  await page.getByLabel('MTU').fill('1440');
  await page.getByLabel('Registry').fill('registry.example.com/');
  await page.getByText('registry.example.com/calico/node:').first().waitFor();
  await view(page, 'YAML');
  await opened(page);
  const before = await text(page);
  expect(before).toContain('    mtu: 1440');
  expect(before).toContain('  registry: registry.example.com/');

  await retype(page, before.replace('    mtu: 1440', '    # agreed with the network team\n    mtu: 1380'));
  await view(page, 'Form');
  await expect.poll(() => page.getByLabel('MTU').inputValue()).toBe('1380');
  await page.getByLabel('Encapsulation').selectOption('VXLAN always');
  await view(page, 'YAML');
  await opened(page);
  expect(await text(page)).toContain('    # agreed with the network team\n    mtu: 1380');
  expect(await text(page)).toContain('encapsulation: VXLAN\n');

  await goOn(page).click();
  await atStep(page, 'compatibility');
  await page.goBack();
  await atStep(page, 'resources');
  await view(page, 'YAML');
  await opened(page);
  expect(await text(page)).toContain('# agreed with the network team');
});

test('what would be refused is named at its field and at its line, and keeps Continue off; a text that cannot be read too', async () => {
  const { page } = await aPage(console);
  await atResources(page, mouse, 'empty-kubeadm');
  await page.getByLabel('CIDR').fill('10.96.0.0/16');
  await page.getByText('One field would be refused').waitFor();
  const where = 'spec.calicoNetwork.ipPools[default-ipv4-ippool].cidr';
  expect(await page.getByLabel('CIDR').getAttribute('aria-invalid')).toBe('true');
  await expectGoodLooks(page);
  await page.locator('#continue-reason').getByText(`Fix ${where} to continue`).waitFor();
  await goOn(page).click({ force: true });
  await page.waitForTimeout(500);
  expect(new URL(page.url()).pathname).toMatch(/resources$/);

  await view(page, 'YAML');
  await opened(page);
  const broken = await text(page);
  const line = broken.split('\n').findIndex((one) => one.includes('10.96.0.0/16')) + 1;
  await page
    .getByRole('link', { name: `Line ${line}, ${where}` })
    .first()
    .click();
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe('10.96.0.0/16');
  await page.locator('.cm-lintRange-error').first().waitFor();
  await expectGoodLooks(page);

  await retype(page, broken.replace('10.96.0.0/16', '10.244.0.0/17').replace('VXLANCrossSubnet', 'VXLANEverywhere'));
  await page.getByText('"VXLANEverywhere" is not possible').first().waitFor();

  await retype(page, 'spec: [');
  const steps = page.getByRole('navigation', { name: 'Steps' });
  await steps.getByText(/^Line 1: /).waitFor();
  await steps.getByRole('link', { name: /something is in the way/ }).waitFor();
  await goOn(page).click();
  await page
    .getByRole('alert')
    .getByText(/^Line 1: /)
    .waitFor();
  await view(page, 'Form');
  await page.getByText('there is no form to show').waitFor();
  await page.reload();
  await page.getByText('there is no form to show').waitFor();
  await page.getByRole('button', { name: 'Use the proposal again' }).first().click();
  await expect.poll(() => page.getByLabel('CIDR').inputValue()).toBe('10.244.0.0/16');
  await goOn(page).click();
  await atStep(page, 'compatibility');
});

test('the step by keyboard: the editor is entered by Tab, left by Escape and Tab, and offers the fields of the release', async () => {
  const { page } = await aPage(console);
  await atResources(page, mouse, 'empty-kubeadm');
  const hands = keys(page);
  await hands.press(page.getByRole('button', { name: 'YAML', exact: true }));
  await opened(page);
  await page.keyboard.press('Tab');
  await expect.poll(() => editor(page).evaluate((one) => one === document.activeElement)).toBe(true);
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText('  flex');
  await page.keyboard.press('Control+ ');
  await page.getByRole('option', { name: /flexVolumePath/ }).waitFor();
  // An offer that has only just come up is not taken: the key may have been meant for the text.
  await page.waitForTimeout(200);
  await page.keyboard.press('Enter');
  await page.keyboard.type('None');
  expect(await text(page)).toContain('  flexVolumePath: None');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect.poll(() => editor(page).evaluate((one) => one === document.activeElement)).toBe(false);
  await hands.press(goOn(page));
  await atStep(page, 'compatibility');
});

test('a second family: a pool and a way to find the nodes’ addresses come together', async () => {
  const { page } = await aPage(console);
  await atResources(page, mouse, 'empty-kubeadm');
  await page.getByRole('button', { name: 'Add an IPv6 pool' }).click();
  const pool = page.getByRole('group', { name: 'Pool default-ipv6-ippool' });
  await pool.getByLabel('CIDR').fill('fd00:10:244::/56');
  await pool.getByText('more than a billion blocks of 64 addresses for 6 nodes').waitFor();
  expect(await page.getByLabel(/IPv6 address of its node/).inputValue()).toBe('kubernetes');
  await pool.getByRole('button', { name: /Remove/ }).click();
  await pool.waitFor({ state: 'detached' });
});
