import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage } from './testing/a-page.ts';
import { keys, mouse } from './testing/hands.ts';
import { acceptQuestions, atStep, openCluster, runSays, startForm, takeBack } from './testing/journey.ts';
import { press } from './testing/keyboard.ts';
import { expectGoodLooks } from './testing/look.ts';

/** An upgrade in the browser: by the operator with its dashboard, and by manifest with decisions of one's own. */
let console: AConsole;

beforeAll(async () => {
  console = await aConsole();
});

afterAll(() => console?.close());

test('by the operator: nodes go from line to line as they really do, components follow, and the run has its way as a name', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'calico-3.30');
  await page.getByRole('button', { name: /^Upgrade Calico to / }).click();
  await atStep(page, 'ready');
  await page.getByRole('link', { name: 'Change: Release' }).click();
  await page.getByText('runs now').waitFor();
  expect(await page.getByRole('radio', { name: /^v3\.31\.7/ }).isChecked()).toBe(true);
  expect(await page.getByRole('radio', { name: /^v3\.30\.7/ }).count()).toBe(0);
  await page.getByRole('radio', { name: /^v3\.31\.4/ }).check();
  await page.getByRole('button', { name: 'Done' }).click();
  await atStep(page, 'ready');
  await page.getByRole('link', { name: 'Change: Afterwards' }).click();
  const endpoints = page.getByRole('group', { name: 'Automatic host endpoints' });
  expect(await endpoints.getByRole('radio', { name: /^Not now/ }).isChecked()).toBe(true);
  await page.getByText('No policy allow-all-upgrade is in this cluster.').waitFor();
  await expectGoodLooks(page, 'measure too');
  await endpoints.getByRole('radio', { name: /^Do it/ }).check();
  await page.getByText(/^Let Calico create a host endpoint for every node/).waitFor();
  await endpoints.getByRole('radio', { name: /^Not now/ }).check();
  await page.getByText(/^Let Calico create a host endpoint for every node/).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Done' }).click();
  await atStep(page, 'ready');
  await acceptQuestions(page);
  await page.getByRole('link', { name: 'Review the plan' }).click();
  await atStep(page, 'review');
  const form = startForm(page);
  await form.getByRole('textbox').fill('calico-3.30');
  await form.getByRole('button').click();
  await page.waitForURL(/\/runs\/(?!draft-)[^/]+$/);
  await page.getByRole('heading', { level: 1, name: /^Upgrade v3\.30\.7 → v3\.31\.4 on/ }).waitFor();

  const releases = page.getByRole('region', { name: 'Releases' });
  const seen: number[] = [];
  const onNew = async () => Number(/^(\d+) of 6 nodes on v3\.31\.4$/m.exec(await releases.innerText())?.[1] ?? 0);
  await expect.poll(async () => seen.push(await onNew()) && seen.at(-1), { timeout: 240_000, interval: 150 }).toBe(6);
  // The nodes arrive one by one, and the number never decreases.
  expect(new Set(seen).size).toBeGreaterThan(2);
  expect(seen).toEqual(seen.toSorted((one, other) => one - other));
  await runSays(page, /^Done[:,]/);
  const components = page.getByRole('region', { name: 'Components' });
  await components.getByRole('row', { name: /Done.*calico-node.*v3\.30\.7.*v3\.31\.4/ }).waitFor();
  await components.getByRole('row', { name: /Done.*tigera-operator.*v1\.38.*v1\.40\.7/ }).waitFor();
  await expectGoodLooks(page, 'measure too');
});

test('by manifest, by keyboard: a change is written, one is taken, the rest stays; a second tab sees it, each node gets it, and the undo takes it back', async () => {
  const { page, context } = await aPage(console);
  const hands = keys(page);
  await openCluster(page, hands, 'calico-manifest-3.30');
  await hands.press(page.getByRole('button', { name: /^Upgrade Calico to / }));
  await atStep(page, 'ready');
  await hands.press(page.getByRole('link', { name: 'Change: Your changes' }));
  const mtu = page.getByRole('group', { name: 'data.veth_mtu' });
  await mtu.waitFor();
  await expectGoodLooks(page, 'measure too');
  // There may be hundreds of changes: neither an answer nor its saving touches the others.
  const cpu = page.getByRole('group', { name: /requests\.cpu$/ });
  await press(page, cpu.getByRole('radio', { name: /^Keep mine/ }), 'Space');
  await cpu.getByText('decided', { exact: true }).waitFor();
  const touched = await touchedRows(page);
  await press(page, mtu.getByRole('radio', { name: /^Keep mine/ }), 'Space');
  await mtu.getByText('decided', { exact: true }).waitFor();
  expect(await touched()).toEqual(['data.veth_mtu']);
  await hands.press(page.getByRole('button', { name: 'Take all of the new' }));
  await expect.poll(() => page.getByRole('radio', { name: /^Take the new/, checked: true }).count()).toBe(7);
  await hands.press(page.getByRole('button', { name: 'Keep all mine' }));
  await expect.poll(() => page.getByRole('radio', { name: /^Keep mine/, checked: true }).count()).toBe(7);
  // The chosen one has the focus of its group; arrows choose.
  await press(page, mtu.getByRole('radio', { name: /^Keep mine/ }), 'Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await hands.write(page.getByLabel('Value to write for data.veth_mtu'), '1420');
  await press(page, cpu.getByRole('radio', { name: /^Keep mine/ }), 'Space');
  await page.keyboard.press('ArrowDown');
  await page.getByText(/^Apply calico\.yaml/).waitFor();

  const tab = await context.newPage();
  const taken = tab.getByRole('group', { name: /requests\.cpu$/ }).getByRole('radio', { name: /^Take/ });
  await expect
    .poll(async () => {
      await tab.goto(page.url());
      const written = await tab.getByLabel('Value to write for data.veth_mtu').inputValue();
      return [written, await taken.isChecked()];
    })
    .toEqual(['1420', true]);
  await tab.close();

  await hands.press(page.getByRole('button', { name: 'Done' }));
  await atStep(page, 'ready');
  await acceptQuestions(page);
  await hands.press(page.getByRole('link', { name: 'Review the plan' }));
  await atStep(page, 'review');
  await page
    .getByText(/7 changes by hand: 5 stay, 1 is written as answered and 1 is as the new file has it/)
    .waitFor({ state: 'attached' });
  await page.getByText('veth_mtu: "1420"').first().waitFor({ state: 'attached' });

  const form = startForm(page);
  await hands.write(form.getByRole('textbox'), 'calico-manifest-3.30');
  await hands.press(form.getByRole('button'));
  await page.waitForURL(/\/runs\/(?!draft-)[^/]+$/);
  const releases = page.getByRole('region', { name: 'Releases' });
  await runSays(page, /^Done[:,]/);
  await releases.getByText(/^6 of 6 nodes on v3\.31\.7$/).waitFor();
  await expectGoodLooks(page, 'measure too');
  await takeBack(page, hands, 'calico-manifest-3.30');
  await runSays(page, /^Undone/);
  await openCluster(page, hands, 'calico-manifest-3.30');
  await page.getByRole('button', { name: /^Upgrade Calico to / }).waitFor();
});

test('by Helm: a chart that cannot be one is refused at its field, and the values show where one moves', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'calico-helm-3.30');
  await page.getByRole('button', { name: /^Upgrade Calico to / }).click();
  await atStep(page, 'ready');
  await page.getByRole('link', { name: 'Change: Your changes' }).click();
  await page.getByRole('row', { name: /^installation\.kubeletVolumePluginPath not there .*written/ }).waitFor();
  const chart = page.getByLabel('Chart of the operator');
  await chart.fill('./chart');
  await chart.blur();
  await page
    .getByText(/Enter the full path/)
    .first()
    .waitFor();
  await expectGoodLooks(page, 'measure too');
  await chart.fill('/srv/charts/tigera-operator.tgz');
  await page.getByRole('button', { name: 'Done' }).click();
  await atStep(page, 'ready');
});

test('by Helm and a hop: each release has its own helm line and its own line of track, and every node is on the one between before one leaves it', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'calico-helm-3.30.4-bpf');
  await page.getByRole('button', { name: /^Upgrade Calico to / }).click();
  await atStep(page, 'ready');
  await acceptQuestions(page);
  await page.getByRole('link', { name: 'Review the plan' }).click();
  await atStep(page, 'review');
  for (const version of ['v3.30.7', 'v3.31.7'])
    await page
      .getByText(
        new RegExp(
          `helm --kube-context sandbox-calico-helm-3.30.4-bpf upgrade calico projectcalico/tigera-operator .*--version ${version}`,
        ),
      )
      .first()
      .waitFor({ state: 'attached' });
  await page.getByText('Services are not watched during the run.').waitFor();
  await page.getByRole('button', { name: 'Watch Services' }).click();
  await page.getByText('Services are watched during the run.').waitFor();
  await page.getByText(/up to [\d.]+ % of a core and \d+ kB\/s of network traffic on each node/).waitFor();
  const form = startForm(page);
  await form.getByRole('textbox').fill('calico-helm-3.30.4-bpf');
  await form.getByRole('button').click();
  await page.waitForURL(/\/runs\/(?!draft-)[^/]+$/);
  const way = 'v3.30.4 → v3.31.7 (2 hops)';
  await page.getByRole('heading', { level: 1, name: `Upgrade ${way} on calico-helm-3.30.4-bpf` }).waitFor();

  const releases = page.getByRole('region', { name: 'Releases' });
  await releases.getByText('Why the hop at v3.30.7?').waitFor();
  const seen: string[] = [];
  const look = async () => {
    const [, count = '', version = ''] = /^(\d) of 6 nodes on (v[\d.]+)$/m.exec(await releases.innerText()) ?? [];
    const now = `${version} ${count}`;
    if (seen.at(-1) !== now) seen.push(now);
    return now;
  };
  await expect.poll(look, { timeout: 480_000, interval: 100 }).toBe('v3.31.7 6');
  const first = seen.findIndex((one) => one.startsWith('v3.31.7'));
  expect(seen.slice(0, first).at(-1)).toBe('v3.30.7 6');
  expect(seen.slice(first).every((one) => one.startsWith('v3.31.7'))).toBe(true);
  expect(new Set(seen).size).toBeGreaterThan(4);
  await runSays(page, /^Done[:,]/);
  // Below the track, a line a node: a sandbox tells a gap of some nodes, and that the others answered.
  const services = page.getByRole('region', { name: 'Services, asked from every node' });
  for (const node of ['control-1', 'worker-1', 'worker-5']) await services.getByText(node, { exact: true }).waitFor();
  expect(await services.locator('rect.fill-green').count()).toBeGreaterThan(6);
  expect(await services.locator('rect.fill-red').count()).toBeGreaterThan(1);
  const top = async (panel: typeof services) => (await panel.boundingBox())?.y ?? 0;
  expect(await top(services)).toBeGreaterThan(await top(releases));
  const components = page.getByRole('region', { name: 'Components' });
  await components.getByRole('row', { name: /Done.*tigera-operator.*v1\.38.*v1\.40/ }).waitFor();
  await expectGoodLooks(page, 'measure too');
  await openCluster(page, mouse, 'calico-helm-3.30.4-bpf');
  await page.getByText(way).first().waitFor();
});

declare global {
  interface Window {
    touchedRows?: Set<string>;
  }
}

/** From now on: the legends of the groups of radio buttons in which the page has written anything. What is rendered anew writes the names of its fields anew. */
async function touchedRows(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const touched = new Set<string>();
    window.touchedRows = touched;
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const row = (target instanceof Element ? target : target.parentElement)?.closest('fieldset');
        if (row) touched.add(row.querySelector('legend')?.textContent ?? '');
      }
    }).observe(document.body, { attributes: true, characterData: true, childList: true, subtree: true });
  });
  return () => page.evaluate(() => [...(window.touchedRows ?? [])]);
}
