import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Flow } from '#lib/flows/in-browser.ts';
import { aFlowWithId } from '#lib/flows/testing/a-flow.ts';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage } from './testing/a-page.ts';
import { mouse } from './testing/hands.ts';
import { openCluster } from './testing/journey.ts';
import { expectGoodLooks } from './testing/look.ts';
import { savedFile } from './testing/saved-file.ts';

let console: AConsole;

beforeAll(async () => {
  console = await aConsole();
});

afterAll(() => console?.close());

test('a denied flow and the policy that denied it are found by keyboard, and the address leads others there', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'flow-logs');
  await page.getByRole('navigation').getByRole('link', { name: 'Flows' }).locator('visible=true').click();
  await page.getByRole('heading', { level: 1, name: 'Flows' }).waitFor();
  await expect.poll(() => rowCount(page)).toBeGreaterThan(50);
  await expectGoodLooks(page);

  await page.keyboard.press('/');
  await page.keyboard.type('to:payments/ledger-db verdict:denied');
  await page.getByRole('button', { name: /^Denied/, pressed: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toBe('to:payments/ledger-db verdict:denied');
  const first = page.getByRole('table').getByRole('button', { expanded: false }).first();
  await first.focus();
  await page.keyboard.press('Enter');
  await page
    .getByText(/Denied at the destination, at the end of tier default: payments\/ledger-db selects it/)
    .waitFor();
  await page.getByText('tier default → policy payments/ledger-db → end of tier: denied').waitFor();
  // An opened row pauses the updates.
  await page.getByRole('button', { name: 'Resume updates' }).waitFor();
  await expectGoodLooks(page);

  const link = page.url();
  await page.getByRole('button', { name: /^Suggest a policy.*payments.ledger-db/ }).click();
  await page.getByRole('region', { name: 'Policy as YAML' }).getByText('kind: StagedNetworkPolicy').waitFor();
  await expectGoodLooks(page);
  await page.getByRole('button', { name: 'Back to the table' }).click();
  await first.click();
  await page.getByRole('button', { name: 'Why, at both ends' }).focus();
  await page.keyboard.press('Enter');
  const answer = page.getByRole('region', { name: 'Answer' });
  await answer.getByText('as flow logs saw it').waitFor();
  expect(new URL(page.url()).searchParams.get('pair')).toBe('shop/checkout → payments/ledger-db:5432');
  await expectGoodLooks(page);
  await page.getByRole('combobox', { name: 'From' }).fill('shop/nobody');
  await page.keyboard.press('Enter');
  await answer.getByText('There is no pod shop/nobody, and no flow with that name.', { exact: false }).waitFor();

  const { page: other } = await aPage(console);
  await other.goto(page.url());
  await other.getByRole('region', { name: 'Answer' }).getByText('There is no pod shop/nobody').waitFor();
  await other.goto(link);
  await other.getByRole('table').getByText('Denied').first().waitFor();
  expect(await other.getByRole('table').getByText('Allowed').count()).toBe(0);
});

test('a query is completed by keyboard, exported and kept as a view, and the map and its table lead to the flows of a pair', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'flow-logs');
  const path = `${new URL(page.url()).pathname}/flows`;
  await page.goto(path);
  const typed = page.getByRole('combobox', { name: 'Filter flows' });
  // The chart is requested by the page's script. Keys that are typed before the script runs are lost.
  const chart = page.getByText(/^[1-9][0-9,]* flows allowed/);
  await chart.waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('verdict:denied to:paym');
  await page.getByRole('option', { name: 'to:payments/ledger-db' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => typed.inputValue()).toBe('verdict:denied to:payments/ ');
  // The pattern for a whole tier cannot come from the page's flows, so the aggregator is asked for it.
  await page.keyboard.type('policy:def');
  const tier = page.getByRole('option', { name: 'policy:default/*', exact: true });
  await tier.waitFor();
  await expectGoodLooks(page);
  await page.keyboard.press('ArrowDown');
  const chosen = await typed.getAttribute('aria-activedescendant');
  expect(await page.locator(`[id="${chosen}"]`).getAttribute('aria-selected')).toBe('true');
  await page.keyboard.press('Escape');
  await tier.waitFor({ state: 'hidden' });
  for (let letters = 'policy:def'.length; letters > 0; letters--) await page.keyboard.press('Backspace');
  await page.keyboard.press('Escape');
  await expect.poll(() => typed.inputValue()).toBe('verdict:denied to:payments/ ');

  await page.getByText('Export', { exact: true }).click();
  const { text } = await savedFile(page, () => page.getByRole('button', { name: 'NDJSON, one flow a line' }).click());
  const lines = text.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).verdict)).toEqual(lines.map(() => 'denied'));

  await page.getByText('Views', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Name of the view' }).fill('Denied payments');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'Denied payments' }).waitFor();

  await page.goto(path);
  await chart.waitFor();
  await page.getByRole('checkbox', { name: 'Denied first' }).check();
  await expect.poll(() => page.getByRole('table').getByRole('row').nth(1).textContent()).toContain('Denied');
  await page.getByText('Views', { exact: true }).click();
  await page.getByRole('link', { name: 'Denied payments' }).click();
  await expect.poll(() => typed.inputValue()).toBe('verdict:denied to:payments/');

  await page.getByRole('group', { name: 'Show flows as' }).getByRole('button', { name: 'Map' }).click();
  const pair = page.getByRole('table').getByRole('link', { name: 'shop/checkout → payments/ledger-db' });
  await pair.waitFor();
  await page.locator('.react-flow__node').getByText('ledger-db', { exact: true }).waitFor();
  await expectGoodLooks(page);
  await page.locator('.react-flow__node').getByText('ledger-db', { exact: true }).click();
  await page.getByRole('region', { name: 'Chosen on the map' }).getByText('Connections from').waitFor();
  await pair.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => typed.inputValue()).toBe('from:shop/checkout to:payments/ledger-db');
});

test('flows that come move nothing, the mouse in the table holds them back, and on a telephone no column is beside the window', async () => {
  const { page } = await aPage(console, { width: 390 });
  await openCluster(page, mouse, 'flow-logs');
  const path = `${new URL(page.url()).pathname}/flows`;
  // A layout shift without a hand on the page fails, in either size (testing/faults.ts).
  await page.goto(path);
  const newest = () => page.getByRole('table').locator('time').first().getAttribute('datetime');
  const first = await newest();
  await expect.poll(newest, { timeout: 60_000 }).not.toBe(first);
  const box = page.getByRole('group', { name: 'Flows, scrolls' });
  expect(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(path);
  const then = await newest();
  await expect.poll(newest, { timeout: 60_000 }).not.toBe(then);
  await box.hover();
  const held = await newest();
  await page.getByText(/^[0-9,]+ newer flows? held back/).waitFor();
  expect(await newest()).toBe(held);
  // The mouse stays over the table, so that only the button shows new flows. If they are of the same 15 s as the ones before, wait for the next.
  const show = page.getByRole('button', { name: /^Show (it|them)$/ });
  const shown = async () => {
    if (await show.isVisible()) await show.click();
    return newest();
  };
  await expect.poll(shown).not.toBe(held);
});

test('rows in sight are drawn, each says which it is of how many, and the one that has the focus stays wherever the table is scrolled', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'flow-logs');
  await page.goto(`${new URL(page.url()).pathname}/flows`);
  await expect.poll(() => rowCount(page)).toBeGreaterThan(100);
  const table = page.getByRole('table', { name: 'Flows', exact: true });
  // The rows that came with the page are more than those in sight.
  await expect.poll(() => table.getByRole('row').count()).toBeLessThan(50);
  const row = (index: number) => table.locator(`tr[aria-rowindex="${index}"]`);
  const focused = () =>
    page.evaluate(() => document.activeElement?.closest('tr')?.getAttribute('aria-rowindex') ?? null);
  await row(2).getByRole('button').focus();
  const box = page.getByRole('group', { name: 'Flows, scrolls' });
  const toEnd = () => box.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await toEnd();
  await row(await rowCount(page)).waitFor();
  expect(await table.getByRole('row').count()).toBeLessThan(50);
  expect(await focused()).toBe('2');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('3');
  await page.keyboard.press('k');
  expect(await focused()).toBe('2');
  await page.keyboard.press('j');
  expect(await focused()).toBe('3');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Only this pair' }).waitFor();
  await toEnd();
  await row(await rowCount(page)).waitFor();
  // A drawn row must be as high as the space that is reserved for one that is not drawn.
  const heights = await table.evaluate((element) =>
    [...element.querySelectorAll('tr[data-index]:has(button[aria-expanded])')].map(
      (one) => one.getBoundingClientRect().height,
    ),
  );
  expect(new Set(heights)).toEqual(new Set([36]));
});

test('what is typed and means nothing is said, and a cluster without flow logs says how to enable them', async () => {
  const { page, faults } = await aPage(console);
  await openCluster(page, mouse, 'standard');
  await page.getByRole('navigation').getByRole('link', { name: 'Flows' }).locator('visible=true').click();
  await page.getByRole('heading', { level: 2, name: 'Flow logs are not enabled' }).waitFor();
  await page.getByText(/restarts calico-node on every node/).waitFor();
  // Of this cluster, whatever the kubeconfig's current one is.
  const command = page.getByRole('region', { name: 'the command signalbox apply --goal flow-logs' });
  expect(await command.innerText()).toBe('signalbox apply --goal flow-logs --sandbox standard');
  await page.getByRole('button', { name: 'Copy the command signalbox apply --goal flow-logs' }).waitFor();
  await expectGoodLooks(page);
  await openCluster(page, mouse, 'flow-logs');
  const flows = `${page.url()}/flows`;
  await page.goto(`${flows}?q=colour:red`);
  await page.getByText('colour is not a key', { exact: false }).waitFor();
  // A link to a run that is gone leads on to the newest.
  faults.allow(/status of 409.*\/flows\/changes\?run=gone/);
  await page.goto(`${flows}?show=changes&run=gone`);
  await page.getByRole('alert').getByText('This console has no run of this name').waitFor();
  await expectGoodLooks(page);
  await page.getByRole('button', { name: 'Compare with the newest run' }).click();
  await page.getByText('This console has had no run on this cluster').waitFor();
});

test('a window of the past is drawn by keyboard and by mouse, the address leads others there, and live comes back', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'flow-logs');
  await page.goto(`${new URL(page.url()).pathname}/flows?q=verdict%3Adenied`);
  // All of what Calico still had is in the history.
  await page.getByText(/^[1-9][0-9,]* flows allowed/).waitFor();
  const begins = page.getByRole('slider', { name: 'Window begins' });
  await begins.focus();
  for (const key of ['PageUp', 'ArrowRight', 'ArrowLeft']) await page.keyboard.press(key);
  const typed = page.getByRole('combobox', { name: 'Filter flows' });
  await expect.poll(() => typed.inputValue()).toMatch(/^verdict:denied since:[-0-9T:]+Z until:[-0-9T:]+Z$/);
  await page.getByText('Each flow once, with the sums of this time').waitFor();
  const denied = page.getByRole('table').getByText('Denied');
  await denied.first().waitFor();
  expect(await page.getByRole('table').getByText('Allowed').count()).toBe(0);
  await expectGoodLooks(page);

  const box = await begins.locator('xpath=ancestor::*[local-name()="svg"][last()]').boundingBox();
  const { x = 0, y = 0, width = 0 } = box ?? {};
  const before = await typed.inputValue();
  await page.mouse.move(x + width * 0.5, y + 30);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.8, y + 30, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => typed.inputValue()).not.toBe(before);
  const window = await typed.inputValue();

  const { page: other } = await aPage(console);
  await other.goto(page.url());
  await other.getByText('Each flow once, with the sums of this time').waitFor();
  await other.getByRole('table').getByText('Denied').first().waitFor();
  expect(await other.getByRole('combobox', { name: 'Filter flows' }).inputValue()).toBe(window);

  await page.getByRole('button', { name: 'Back to live' }).click();
  expect(await typed.inputValue()).toBe('verdict:denied');
  await page.getByRole('button', { name: 'Pause updates' }).waitFor();
});

test('columns are chosen and kept in this browser, and Top adds up and leads to the flows of a row', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'flow-logs');
  const path = `${new URL(page.url()).pathname}/flows`;
  await page.goto(path);
  const table = page.getByRole('table');
  const heads = () => table.getByRole('columnheader').allTextContents();
  // A row count above the number of rendered rows shows that the page's script runs.
  const isAlive = () => expect.poll(() => rowCount(page)).toBeGreaterThan(51);
  await isAlive();
  const usual = ['Time', 'Verdict', 'From', 'To', 'Port', 'Decided by', 'Conns', 'Bytes'];
  expect(await heads()).toEqual(usual);
  const menu = page.getByText('Columns', { exact: true });
  await menu.click();
  const columns = page.getByRole('group', { name: 'Columns, kept in this browser' });
  await columns.getByRole('checkbox', { name: /^Reported by/ }).check();
  await columns.getByRole('checkbox', { name: /^Conns/ }).uncheck();
  const chosen = ['Time', 'Verdict', 'Reported by', 'From', 'To', 'Port', 'Decided by', 'Bytes'];
  expect(await heads()).toEqual(chosen);
  await expectGoodLooks(page);
  await page.goto(path);
  await isAlive();
  expect(await heads()).toEqual(chosen);
  await menu.click();
  await page.getByRole('button', { name: 'Usual columns' }).click();
  expect(await heads()).toEqual(usual);
  await page.keyboard.press('Escape');

  await page.getByRole('group', { name: 'Show flows as' }).getByRole('button', { name: 'Top' }).click();
  const by = page.getByRole('group', { name: 'Added up by' });
  await by.getByRole('button', { name: 'Denied by' }).click();
  await expect.poll(async () => (await heads())[0]).toBe('Denied by');
  const denied = await table.getByRole('row').locator('td:last-child').allTextContents();
  expect(denied.length).toBeGreaterThan(0);
  expect(denied.map(Number).every((count) => count > 0)).toBe(true);
  await by.getByRole('button', { name: 'DNS' }).click();
  const names = table.getByRole('link');
  await expect.poll(() => names.first().textContent()).toMatch(/:53$/);
  for (const name of await names.allTextContents()) expect(name).toMatch(/^\S.* → \S.*:53$/);
  await expectGoodLooks(page);
  await names.first().focus();
  await page.keyboard.press('Enter');
  const typed = page.getByRole('combobox', { name: 'Filter flows' });
  await expect.poll(() => typed.inputValue()).toMatch(/^from:\S+ to:\S+ port:53$/);
  expect(new URL(page.url()).searchParams.get('show')).toBe('top');
});

/** Each of 500 workloads in 25 namespaces talks with another one. */
function manyWorkloads(): Flow[] {
  const workload = (index: number) => ({
    kind: 'workload' as const,
    namespace: `ns-${index % 25}`,
    name: `w${index}-*`,
    labels: [],
  });
  return Array.from({ length: 500 }, (_, index) =>
    aFlowWithId({
      from: workload(index),
      to: workload((index * 13 + 1) % 500),
      verdict: index % 9 === 0 ? 'denied' : 'allowed',
    }),
  );
}

const hostile = '=HYPERLINK("http://evil.example","a,b")';
const brokenLine = 'web\r\n+cmd|calc\u0007';

test('what the filter leaves is saved as CSV: one line a flow, whatever names hold, and no name is a formula', async () => {
  const { page } = await aPage(console);
  const period = { isCut: false, since: 1_800_000_000, until: 1_800_003_600, isRecording: true, note: null };
  const { from, to } = aFlowWithId();
  const flows = [
    aFlowWithId({ start: 1_800_000_000, port: 1, from: { ...from, name: hostile } }),
    aFlowWithId({ start: 1_800_000_015, port: 2, to: { ...to, namespace: brokenLine } }),
  ];
  await page.route('**/flows/kept?*', (route) => route.fulfill({ json: { flows, ...period } }));
  await openCluster(page, mouse, 'flow-logs');
  await page.goto(`${new URL(page.url()).pathname}/flows?q=since:2h%20until:1h`);
  await page.getByText('Each flow once, with the sums of this time').waitFor();
  await page.getByRole('table').getByText(hostile, { exact: false }).first().waitFor();
  await page.getByText('Export', { exact: true }).click();
  await page.getByText('2 flows, as the filter leaves them', { exact: true }).waitFor();
  const csv = page.getByRole('button', { name: 'CSV, for spreadsheets' });
  const { name, text } = await savedFile(page, () => csv.click());
  expect(name).toBe('flows-flow-logs.csv');
  const lines = text.split('\n');
  // A head, two flows, and the end of the last line: nothing that a name holds begins another.
  expect(lines).toHaveLength(4);
  expect(lines.at(-1)).toBe('');
  const [head = [], ...rows] = lines.slice(0, 3).map(cellsOfCsv);
  expect(rows.map((row) => row.length)).toEqual([head.length, head.length]);
  const row = (port: string) =>
    Object.fromEntries(
      rows.find((one) => one[head.indexOf('port')] === port)?.map((cell, at) => [head[at], cell]) ?? [],
    );
  expect(row('1').from_name).toBe(`'${hostile}`);
  expect(row('1').verdict).toBe('allowed');
  expect(row('2').to_namespace).toMatch(/^web.*\+cmd\|calc/);
  for (const cell of rows.flat()) expect(cell).not.toMatch(/^[=+@\t\r-]|[\u0000-\u001f]/);
});

/** Cells of one line, as RFC 4180 has them. */
function cellsOfCsv(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, bare = '']) =>
    quoted === undefined ? bare : quoted.replaceAll('""', '"'),
  );
}

test('of 500 workloads 30 are on the map, and all on request: what is in sight is drawn, and nothing moves when one is chosen', async () => {
  const { page } = await aPage(console);
  const period = { isCut: false, since: 1_800_000_000, until: 1_800_003_600, isRecording: true, note: null };
  await page.route('**/flows/kept?*', (route) => route.fulfill({ json: { flows: manyWorkloads(), ...period } }));
  await openCluster(page, mouse, 'flow-logs');
  await page.goto(`${new URL(page.url()).pathname}/flows?q=since:2h%20until:1h&show=map`);
  const level = page.getByRole('group', { name: 'On the map' });
  await page.getByText('500 ends, ', { exact: false }).waitFor();
  const nodes = page.locator('.react-flow__node-place');
  // Thirty workloads have a place of their own; the others share one place for each namespace.
  await expect.poll(() => nodes.count()).toBeGreaterThan(30);
  expect(await nodes.count()).toBeLessThan(60);

  const { cdp, workedMs } = await mainThread(page);
  const began = await workedMs();
  await level.getByRole('button', { name: 'All 500' }).click();
  await expect.poll(() => nodes.count()).toBe(500);
  // Layout, drawing and table, on a machine that has other work too.
  expect((await workedMs()) - began).toBeLessThan(10_000);
  await cdp.detach();
  await expectGoodLooks(page);

  const size = page.getByRole('group', { name: 'Size of the map' });
  const larger = size.getByRole('button', { name: 'Larger' });
  for (let times = 0; times < 8; times++) await larger.click();
  // Beyond the edges nothing is drawn.
  await expect.poll(() => nodes.count()).toBeLessThan(250);
  expect(await nodes.count()).toBeGreaterThan(0);
  const places = async () =>
    new Map(
      await nodes.evaluateAll((all) =>
        all.map((one) => [one.getAttribute('data-id'), (one as HTMLElement).style.transform] as const),
      ),
    );
  const before = await places();
  await nodes.locator('visible=true').first().click();
  await page.getByRole('region', { name: 'Chosen on the map' }).waitFor();
  const after = await places();
  // The panel beside the map covers some places.
  const stayed = [...after.keys()].filter((id) => before.has(id));
  expect(stayed.length).toBeGreaterThan(0);
  expect(stayed.map((id) => after.get(id))).toEqual(stayed.map((id) => before.get(id)));
  await size.getByRole('button', { name: 'Fit' }).click();
  await expect.poll(() => nodes.count()).toBe(500);
});

/** How long the page's own thread has worked. */
async function mainThread(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  const workedMs = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? expect.unreachable()) * 1000;
  };
  return { cdp, workedMs };
}

/** Rows of the table, drawn or not, and its head. */
async function rowCount(page: Page): Promise<number> {
  return Number(await page.getByRole('table').getAttribute('aria-rowcount'));
}
