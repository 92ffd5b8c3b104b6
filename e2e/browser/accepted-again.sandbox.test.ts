import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage } from './testing/a-page.ts';
import { mouse } from './testing/hands.ts';
import { atStep, openCluster, openSteps, runSays, startForm, startRun, takeBack } from './testing/journey.ts';

let console: AConsole;

beforeAll(async () => {
  console = await aConsole();
});

afterAll(() => console?.close());

const name = 'single-address';
const reason = 'the rack has a virtual address';
const title = 'The endpoint depends on a single machine';

test('the run page shows each step in one row; what was accepted for the run is offered to the next draft, to be confirmed and not typed again', async () => {
  const { page } = await aPage(console);
  const toDoubt = async () => {
    await openCluster(page, mouse, name);
    await openSteps(page, mouse, page.getByRole('button', { name: 'Enable eBPF' }));
    await page.goto(page.url().replace(/goal$/, 'compatibility'));
    await atStep(page, 'compatibility');
    const doubt = page.getByRole('article').filter({ hasText: title });
    await doubt.locator('summary').first().click();
    return doubt;
  };
  const first = await toDoubt();
  await first.getByText('Skip, with a reason…').click();
  const field = first.getByLabel('Why is it safe to skip?');
  expect(await field.inputValue()).toBe('');
  await field.fill(reason);
  await first.getByRole('button', { name: 'Record this reason' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await atStep(page, 'review');
  await startForm(page).waitFor();
  await startRun(page, mouse, name);
  // A telephone that follows: nothing of it moves by more than 0.02 on the way there and back (faults.ts), and nobody touches it.
  const { page: telephone } = await aPage(console, { width: 390 });
  await telephone.goto(page.url());
  await runSays(page, /^Done/);
  const run = page.url().split('/').at(-1) ?? '';

  const steps = page.getByRole('region', { name: 'Steps' });
  const rows = steps.locator('li[id^="step-"]');
  const numbers = await rows.evaluateAll((all) => all.map(({ id }) => id));
  expect(numbers.length).toBeGreaterThan(10);
  expect(new Set(numbers).size).toBe(numbers.length);
  const titles = await rows.locator('> button > span:nth-child(3) > span:first-child').allInnerTexts();
  expect(titles).toHaveLength(numbers.length);
  // The log says when each began and ended; the track names those that touch traffic, at their place.
  const lists = page
    .getByRole('main')
    .getByRole('list')
    .filter({ hasText: titles[0] ?? '' });
  const names = await lists.evaluateAll((all) => all.map((list) => list.getAttribute('aria-label') ?? ''));
  expect(names.filter((one) => !one.startsWith('What happened'))).toEqual(['']);

  await takeBack(page, mouse, name);
  await runSays(page, /^Undone/);
  await runSays(telephone, /^Undone/);
  const again = await toDoubt();
  await again.getByText(/ again…$/).click();
  const offered = again.getByLabel('Why is it safe to skip?');
  expect(await offered.inputValue()).toBe(reason);
  await again.getByText(new RegExp(`^From run ${run}, .*Confirm it if it still holds`)).waitFor();
  await again.getByRole('button', { name: 'Confirm this reason' }).click();
  // Beside the commands there is no room for the column; the line is settled by it nevertheless.
  const settled = page.getByRole('article').filter({ hasText: title }).getByText(`“${reason}”`);
  await settled.first().waitFor({ state: 'attached' });
});
