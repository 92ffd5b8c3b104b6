import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage, signIn } from './testing/a-page.ts';
import { expectAccessible, expectNoSideways } from './testing/accessible.ts';

let console: AConsole;

beforeAll(async () => {
  console = await aConsole();
});

afterAll(() => console?.close());

const aSession = async () => ({ ...(await signIn(console)), url: console.url });

test('who is signed in is listed; one session ends another, or all of them', async () => {
  const { page, context } = await aPage(console, { session: 'none' });
  await context.addCookies([await aSession()]);
  const other = await aPage(console, { session: 'none' });
  await other.context.addCookies([await aSession()]);
  await other.page.goto('/');

  await page.goto('/');
  await page.getByRole('link', { name: 'Sessions' }).first().click();
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  const rows = page.getByRole('region', { name: 'Signed in' }).getByRole('listitem');
  expect(await rows.count()).toBe(2);
  expect(await rows.filter({ hasText: 'this browser' }).count()).toBe(1);
  await page.getByRole('button', { name: /^Sign out: (?!this)/ }).click();
  await expect.poll(() => rows.count()).toBe(1);
  await other.page.goto('/');
  await other.page.getByRole('heading', { name: 'Sign in to this console' }).waitFor();

  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('heading', { name: 'Sign in to this console' }).waitFor();
});

test.each(['light', 'dark'] as const)('the list is accessible, %s, from 320 px on', async (theme) => {
  for (const width of [1440, 390, 320]) {
    const { page, context } = await aPage(console, { session: 'none', theme, width });
    await context.addCookies([await aSession()]);
    await page.goto('/sessions');
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    await expectAccessible(page);
    await expectNoSideways(page);
  }
});

test('a page in front of somebody says so; a hidden one does not', async () => {
  const { page, context } = await aPage(console, { session: 'none' });
  await context.addCookies([await aSession()]);
  const seen: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') seen.push(new URL(request.url()).pathname);
  });
  await page.clock.install();
  await page.goto('/');
  const soManyIn = async (minutes: number) => {
    const before = seen.length;
    await page.clock.runFor(minutes * 60_000);
    await page.waitForTimeout(500);
    return seen.length - before;
  };
  // The page may not be alive at first.
  await expect.poll(() => soManyIn(5)).toBe(1);
  expect(new Set(seen)).toEqual(new Set(['/seen']));
  expect(await soManyIn(20)).toBe(4);
  await page.evaluate(() =>
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }),
  );
  expect(await soManyIn(60)).toBe(0);
});
