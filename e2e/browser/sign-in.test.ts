import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage } from './testing/a-page.ts';
import { expectAccessible, expectNoSideways } from './testing/accessible.ts';
import { press, write } from './testing/keyboard.ts';

let console: AConsole;

beforeAll(async () => {
  console = await aConsole();
});

afterAll(() => console?.close());

test('the printed link signs in, once, and its key is in no address afterwards', async () => {
  const link = await console.signInLink();
  const { page } = await aPage(console, { session: 'none' });
  await page.goto(link);
  await page.waitForURL(`${console.url}/`);
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });

  const other = await aPage(console, { session: 'none' });
  other.faults.allow(/status of 403/);
  await other.page.goto(link);
  await other.page.getByText('This link was already used').waitFor();
  expect(new URL(other.page.url()).hash).toBe('');
  await other.page.goBack();
  expect(other.page.url()).not.toContain('key=');
  expect(console.logText()).not.toContain(link.split('=')[1]);
});

test('who is not signed in is led to where that is done, and back to the page that was asked for; a link can be pasted, by keyboard', async () => {
  const { page, faults } = await aPage(console, { session: 'none' });
  await page.goto('/clusters/nothing-00000000?x=1#step-8');
  await page.getByRole('heading', { name: 'Sign in to this console' }).waitFor();
  await write(page, page.getByLabel(/paste it here/), 'no link at all');
  await page.keyboard.press('Enter');
  await page.getByText('Not a sign-in link').waitFor();
  await expectAccessible(page);
  await write(page, page.getByLabel(/paste it here/), await console.signInLink());
  faults.allow(/status of 404/);
  await press(page, page.getByRole('button', { name: 'Sign in' }));
  await page.waitForURL(`${console.url}/clusters/nothing-00000000?x=1#step-8`);
});

test.each(['light', 'dark'] as const)('the sign-in page is accessible, %s, from 320 px on', async (theme) => {
  for (const width of [1440, 390, 320]) {
    const { page, faults } = await aPage(console, { session: 'none', theme, width });
    await page.goto('/sign-in');
    await page.getByRole('heading', { name: 'Sign in to this console' }).waitFor();
    await expectAccessible(page);
    await expectNoSideways(page);
    faults.allow(/status of 403/);
    await page.goto('/sign-in#key=ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdefg');
    await page.getByText('This link is not valid').waitFor();
    await expectAccessible(page);
  }
});
