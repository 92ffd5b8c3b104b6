import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage } from './testing/a-page.ts';
import { connectionErrors } from './testing/faults.ts';
import { mouse } from './testing/hands.ts';
import { answerWizard, openCluster, runSays, startRun } from './testing/journey.ts';

let console: AConsole;
beforeAll(async () => {
  console = await aConsole();
});
afterAll(() => console?.close());

test('a dashboard says that it is live, that the console is away, and goes on when it is back', async () => {
  const { page, faults } = await aPage(console);
  faults.allow(connectionErrors);
  await page.goto('/');
  await page.getByRole('link', { name: 'standard', exact: true }).click();
  await page
    .getByText(/live · (just now|\d+ s ago)/)
    .first()
    .waitFor();
  await page.getByText('All 6 nodes are on the standard data plane.').first().waitFor();
  await console.kill();
  await page
    .getByText(/reconnecting (now|in \d+ s) \(attempt \d+\)/)
    .first()
    .waitFor();
  await console.restart();
  await page
    .getByText(/live · (just now|\d+ s ago)/)
    .first()
    .waitFor();
});

test('with updates paused, it says so and counts; going on it is live', async () => {
  const { page } = await aPage(console);
  await page.goto('/');
  await page.getByRole('link', { name: 'standard', exact: true }).click();
  await page
    .getByText(/live · /)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Pause updates' }).first().click();
  await page
    .getByText(/updates paused/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Resume updates' }).first().click();
  await page
    .getByText(/live · /)
    .first()
    .waitFor();
});

test('a session that ends elsewhere stops the page with a reason and the way back in', async () => {
  const { page, context, faults } = await aPage(console);
  faults.allow(connectionErrors);
  faults.allow(/401/);
  await page.goto('/');
  await page.getByRole('link', { name: 'standard', exact: true }).click();
  await page
    .getByText(/live · /)
    .first()
    .waitFor();
  await context.clearCookies();
  await console.kill();
  await console.restart();
  await page.getByText('not live').first().waitFor();
  await page.getByRole('link', { name: 'Sign in again' }).first().waitFor();
});

test('the console is killed in the middle of a run: the page goes on with it to its end, and its report can be kept', async () => {
  const { page, faults } = await aPage(console);
  faults.allow(connectionErrors);
  // All that came while the console was away is drawn at once: 0.033 on a busy machine, of many rows that move by a little each.
  faults.allow(/moved by 0\.0.*\/runs\/\d/);
  // A run that ends as its console is killed: the page asks for what it says now, and asks again.
  faults.allow(/Failed to fetch RSC payload/);
  await openCluster(page, mouse, 'standard');
  await answerWizard(page, mouse, {});
  await startRun(page, mouse, 'standard');
  await page
    .getByText(/its agent says that eBPF is on/)
    .first()
    .waitFor();
  await console.kill();
  await console.restart();
  await runSays(page, /^Done/);
  // By the page: only browsers know that every name below localhost is this machine.
  const report = await page.evaluate(
    async (address) => {
      const answer = await fetch(address);
      return {
        status: answer.status,
        disposition: answer.headers.get('content-disposition'),
        text: await answer.text(),
      };
    },
    `${page.url().replace('/clusters/', '/api/clusters/')}/report`,
  );
  expect(report.status).toBe(200);
  expect(report.disposition).toMatch(/^attachment; filename="signalbox-run-[\w-]+\.md"$/);
  expect(report.text).toContain('Turn kube-proxy off');
});
