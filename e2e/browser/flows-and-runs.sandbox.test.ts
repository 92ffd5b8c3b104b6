import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChangesOfRun } from '#lib/flows/index.ts';
import { trafficFile } from '#lib/run/index.ts';
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

test('a suggested policy is reviewed as a plan and made, and flows are compared with the time before that run; pairs that are denied or silent since stand on its page and in its report', async () => {
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

  // The stored result of a run's flows is shown as long as the history has no better one.
  const at = Math.floor(Date.now() / 1000);
  const slug = run.split('/')[2] ?? '';
  const kept = trafficFile(join(console.state, 'signalbox'), slug, run.split('/').at(-1) ?? '');
  await writeFile(
    kept,
    JSON.stringify({ apiVersion: 'signalbox.dev/v1', kind: 'TrafficOfRun', changes: changesAt(at) }),
  );
  for (const path of [run, `${run}/report`]) {
    await page.goto(path);
    const panel = page.getByRole('region', { name: 'Traffic before and since' });
    await panel.getByText('2 of 40 pairs that talked in the 2 h before the run: denied or silent since.').waitFor();
    const rows = panel.getByRole('table').locator('tbody tr');
    expect(await rows.count()).toBe(2);
    await rows.nth(0).getByText('denied', { exact: true }).waitFor();
    await rows.nth(0).getByText('Denied at the destination, at the end of tier default', { exact: false }).waitFor();
    await rows.nth(1).getByText('silent', { exact: true }).waitFor();
    // A name from a cluster is text.
    await rows.nth(1).getByText(markup, { exact: true }).waitFor();
    expect(await panel.locator('img').count()).toBe(0);
    await expectGoodLooks(page);
  }
});

const markup = 'shop/<img src=x onerror=alert(1)>';

/** The changes of flows around a run that ended at that time, seconds since the epoch. */
function changesAt(at: number): ChangesOfRun {
  const seen = at - 300;
  const pair = { protocol: 'TCP', connections: 120, seen, query: 'from:shop/checkout to:payments/ledger-db' };
  return {
    pairs: [
      {
        ...pair,
        state: 'denied',
        from: 'shop/checkout',
        to: 'payments/ledger-db',
        port: 5432,
        why: 'Denied at the destination, at the end of tier default: payments/ledger-db selects it.',
      },
      { ...pair, state: 'silent', from: 'batch/nightly-report', to: markup, port: 8080, why: 'No flow since.' },
    ],
    talked: 40,
    untold: 3,
    before: { since: at - 7_500, until: at - 300 },
    since: { since: at - 300, until: at },
    secondsBefore: 7_200,
    secondsSince: 3_000,
    isCut: false,
  };
}
