import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage } from './testing/a-page.ts';
import { expectNamesApart } from './testing/accessible.ts';
import { keys, mouse } from './testing/hands.ts';
import { atStep, type Hands, openCluster, startForm } from './testing/journey.ts';
import { expectLevel } from './testing/level-columns.ts';
import { expectGoodLooks, pageChecks } from './testing/look.ts';
import { expectWholeWords } from './testing/whole-words.ts';

/** From the dashboard to a run over one page: what a healthy cluster costs in clicks, and that nobody is led into a refusal. */
let console: AConsole;

beforeAll(async () => {
  console = await aConsole();
});

afterAll(() => console?.close());

/** Hands that count what an administrator does. */
function counting(hands: Hands): Hands & { clicks: number; texts: number } {
  const counted = {
    clicks: 0,
    texts: 0,
    press: (target: Parameters<Hands['press']>[0]) => {
      counted.clicks++;
      return hands.press(target);
    },
    write: (target: Parameters<Hands['write']>[0], text: string) => {
      counted.texts++;
      return hands.write(target, text);
    },
  };
  return counted;
}

const review = (page: Page) => page.getByRole('link', { name: 'Review the plan' });

/** From the dashboard; the page is the run's. */
async function start(page: Page, { press, write }: Hands, button: string, name: string): Promise<void> {
  await press(page.getByRole('button', { name: button, exact: true }));
  await atStep(page, 'ready');
  await press(review(page));
  await atStep(page, 'review');
  const form = startForm(page);
  await form.waitFor();
  await write(form.getByRole('textbox'), name);
  await press(form.getByRole('button'));
  await page.waitForURL(/\/runs\/(?!draft-)[^/]+$/);
}

test.each([
  ['standard', 'Enable eBPF', 4],
  ['empty-kubeadm', 'Install Calico', 6],
] as const)(
  '%s: from the dashboard to a run that is started, one typed name and few clicks',
  async (name, button, most) => {
    const { page } = await aPage(console);
    await openCluster(page, mouse, name);
    const hands = counting(mouse);
    await start(page, hands, button, name);
    expect(hands.clicks).toBeLessThanOrEqual(most);
    expect(hands.texts).toBe(1);
  },
);

test('by keyboard alone, every control of the page is reached; that the run is paused is told by its page, the tab, its icon and the dashboard', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'kind');
  await start(page, keys(page), 'Enable eBPF', 'kind');
  await keys(page).press(page.getByRole('button', { name: 'Pause', exact: true }));
  await page.getByRole('region', { name: 'Why the run is paused' }).waitFor();
  await page
    .getByRole('status')
    .filter({ hasText: /^Paused/ })
    .first()
    .waitFor({ state: 'attached' });
  // The way back, and the state of a group of steps, break no word on the narrowest screen.
  await expectWholeWords(page, page.locator('details > summary').filter({ hasText: /^Prepare/ }), [320]);
  await keys(page).press(page.getByRole('button', { name: 'Undo…' }).first());
  const way = page.getByRole('dialog').getByRole('listitem');
  await way.first().waitFor();
  await expectWholeWords(page, way, [320]);
  await page.keyboard.press('Escape');
  const tab = async () => [await page.title(), await page.locator('link[rel="icon"]').last().getAttribute('href')];
  await expect.poll(tab).toEqual([expect.stringMatching(/^Paused/), expect.stringContaining('/state/warn.svg')]);
  await openCluster(page, mouse, 'kind');
  await page.getByRole('link', { name: 'Open the paused run' }).waitFor();
  await expect
    .poll(tab)
    .toEqual([expect.stringMatching(/ is paused · kind$/), expect.stringContaining('/state/warn.svg')]);
  // The list of clusters shows the pause too, beside the buttons and not below them, and has only one primary action.
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/');
  const onward = page.getByRole('link', { name: 'Open the paused run' });
  await onward.waitFor();
  const paused = page
    .getByRole('listitem')
    .filter({ has: onward })
    .getByText(/^Enable eBPF is paused, started/);
  const [notice, button] = [
    await paused.boundingBox(),
    await page.getByRole('button', { name: 'Reset the sandbox kind' }).boundingBox(),
  ];
  expect(notice?.width).toBeGreaterThan(100);
  expect((notice?.x ?? 0) + (notice?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0);
  expect(await page.locator('main .bg-blue').count()).toBe(1);
});

test('healthy, blocked, with a question, and for an installation: the page is accessible in both themes and at every width', async () => {
  const { page } = await aPage(console);
  const { look, finish } = pageChecks(page);
  for (const [name, button] of [
    ['kubeadm-ha', 'Enable eBPF'],
    ['old-kernel', 'Enable eBPF'],
    ['single-address', 'Enable eBPF'],
    ['empty-talos', 'Install Calico'],
  ] as const) {
    await openCluster(page, mouse, name);
    await page.getByRole('button', { name: button, exact: true }).click();
    await atStep(page, 'ready');
    await page.getByRole('heading', { name: 'Found' }).waitFor();
    await look(name);
    await expectNamesApart(page);
    await page.setViewportSize({ width: 2560, height: 1200 });
    await look(`${name}, 2560 px`);
    if (name === 'kubeadm-ha') await expectLevel(page, 'Found', 'Measured on the nodes');
    await page.setViewportSize({ width: 1440, height: 900 });
  }
  finish();
});

test('what blocks is named with its remedy, and Review leads nowhere until it is gone', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'old-kernel');
  await page.getByRole('button', { name: 'Enable eBPF' }).click();
  await page.getByRole('heading', { level: 1, name: 'Not ready: worker-3 blocks the plan' }).waitFor();
  await page.getByRole('heading', { level: 2, name: /worker-3 .*5\.3 is needed/ }).waitFor();
  await page.getByText(/Upgrade the kernel/).waitFor();
  // Each way out has its own commands.
  for (const command of ['drain worker-3 --ignore-daemonsets', 'uncordon worker-3', 'delete node worker-3'])
    await page.getByRole('button', { name: new RegExp(`^Copy the command “kubectl .*${command}”`) }).waitFor();
  expect(await review(page).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Review the plan' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Check again' }).click();
  await page.getByRole('heading', { level: 1, name: /^Not ready/ }).waitFor();
});

test('Change opens the step and comes back with the answer; nothing else is lost', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'kubeadm-ha');
  await page.getByRole('button', { name: 'Enable eBPF' }).click();
  await atStep(page, 'ready');
  await page.getByRole('link', { name: 'Change: Options' }).click();
  await page.waitForURL(/\/options\?from=ready$/);
  await page.getByRole('radio', { name: /client/ }).check();
  await page.getByRole('button', { name: 'Done' }).click();
  await atStep(page, 'ready');
  await page
    .getByText(/replies go straight to the client \(DSR\)/)
    .first()
    .waitFor();
  await page.getByRole('link', { name: 'Change: API endpoint' }).click();
  await page.getByText('In use', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Back' }).click();
  await atStep(page, 'ready');
  await page
    .getByText(/replies go straight to the client \(DSR\)/)
    .first()
    .waitFor();
});

test('a question is answered with one press, a fix is left out with a reason and put back', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'single-address');
  await page.getByRole('button', { name: 'Enable eBPF' }).click();
  await page.getByRole('heading', { name: /^Almost ready/ }).waitFor();
  expect(await page.getByRole('button', { name: 'Review the plan' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'It stays' }).click();
  await page.getByRole('heading', { name: /^Ready to switch/ }).waitFor();
  const fixed = page.getByRole('region', { name: 'Fixed by the plan' });
  await fixed.getByText('Leave it out…').first().click();
  await fixed.getByRole('textbox').first().fill('upgrades skip the phase');
  await fixed.getByRole('button', { name: 'Record this reason' }).first().click();
  await fixed.getByText('left out', { exact: true }).waitFor();
  await expectGoodLooks(page);
  await fixed.getByRole('button', { name: 'Take it back' }).click();
  await fixed.getByText('left out', { exact: true }).waitFor({ state: 'detached' });
  await review(page).waitFor();
});

test('nodes are tested again from the page: what is made stands there first, then each node as it reports', async () => {
  const { page } = await aPage(console);
  await openCluster(page, mouse, 'kubeadm-ha');
  await page.getByRole('button', { name: 'Enable eBPF' }).click();
  await atStep(page, 'ready');
  const measured = page.getByRole('region', { name: 'Measured on the nodes' });
  await measured.getByText('Test the nodes again').click();
  await measured.getByText('What the pods run, and which objects are created').click();
  await measured.getByText('DaemonSet/signalbox-probe', { exact: false }).first().waitFor();
  await measured.getByText('Objects as YAML').click();
  await measured.getByText('hostPID: true').waitFor();
  await expectGoodLooks(page);
  await measured.getByRole('button', { name: /^Test \d+ nodes$/ }).click();
  await measured.getByText(/^\d+ of \d+ nodes reported$/).waitFor();
  // Then the results are shown above, and the form for another test is folded again.
  await measured.getByRole('list', { name: 'Nodes', exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Step by step' }).click();
  await atStep(page, 'goal');
  await page.getByRole('link', { name: /Compatibility/ }).click();
  await atStep(page, 'compatibility');
  await page.getByText('Test the nodes again').click();
  await page.getByRole('button', { name: /^Test \d+ nodes$/ }).waitFor();
  await expectGoodLooks(page);
});
