import type { Page } from 'playwright-core';
import { mouse } from '#e2e/browser/testing/hands.ts';
import { acceptQuestions, atStep, openCluster, openSteps, runSays, startForm } from '#e2e/browser/testing/journey.ts';
import type { Scene, Stage, Story } from './story.ts';

/** A step of an upgrade, opened from the page *Ready to upgrade*, anew for each look. */
function step(name: string, sandbox: string, change: string, then?: (page: Page) => Promise<unknown>): Scene {
  return {
    name,
    arrive: async (page) => {
      await openCluster(page, mouse, sandbox);
      await page.getByRole('button', { name: /^Upgrade Calico to / }).click();
      await atStep(page, 'ready');
      await page.getByRole('link', { name: `Change: ${change}` }).click();
      await page.waitForURL(/from=ready$/);
      await page.getByRole('button', { name: 'Done' }).waitFor();
      await then?.(page);
      await page.waitForTimeout(500);
    },
  };
}

/** *Afterwards* of a cluster whose dashboard proposes another goal, with one of its offers taken. */
function afterwards(name: string, sandbox: string, what: string): Scene {
  return {
    name,
    arrive: async (page) => {
      await stepTo(page, sandbox, ['release', 'changes', 'afterwards']);
      await page
        .getByRole('group', { name: what })
        .getByRole('radio', { name: /^Do it/ })
        .check();
      await page.waitForTimeout(1500);
    },
  };
}

/** Through the steps of an upgrade that the dashboard does not propose. */
async function stepTo(page: Page, sandbox: string, steps: readonly string[]): Promise<void> {
  await openCluster(page, mouse, sandbox);
  await openSteps(page, mouse, page.getByRole('button', { name: /eBPF/ }));
  await page.getByRole('radio', { name: /^Upgrade/ }).check();
  for (const next of steps) {
    await page.getByRole('button', { name: 'Continue' }).click();
    await atStep(page, next);
  }
}

/** What changes, by each way in which Calico is installed. */
export const upgradeStory: Story = {
  name: 'upgrade',
  start: async () => ({}),
  chapters: [
    {
      happens: async () => undefined,
      scenes: [
        step('upgrade, release', 'calico-3.30', 'Release'),
        step('upgrade, release with a hop', 'calico-3.30.4-bpf', 'Release'),
        step('upgrade, changes by manifest', 'calico-manifest-3.30', 'Your changes', async (page) => {
          const mtu = page.getByRole('group', { name: 'data.veth_mtu' });
          await mtu.getByRole('radio', { name: /^Write this/ }).check();
          await page.getByText(/^Apply calico.yaml/).click();
        }),
        step('upgrade, changes by Helm', 'calico-helm-3.30', 'Your changes', async (page) => {
          await page.getByLabel('Chart of the operator').fill('./chart');
          await page.getByLabel('Chart of the operator').blur();
        }),
        step('upgrade, changes by Helm and a hop', 'calico-helm-3.30.4-bpf', 'Your changes'),
        {
          name: 'upgrade, compatibility by Helm',
          arrive: async (page) => {
            await stepTo(page, 'calico-helm-3.32', ['release', 'changes', 'afterwards', 'compatibility']);
            await page.waitForTimeout(1500);
          },
        },
        step('upgrade, changes by the operator', 'calico-3.30', 'Your changes'),
        { name: 'upgrade, review', arrive: (page) => reviewUpgrade(page, 'calico-3.30.4-bpf') },
        afterwards('upgrade, afterwards', 'old-sidecars', 'Sidecars of application layer policy'),
        afterwards('upgrade, afterwards with host endpoints', 'host-endpoints', 'Automatic host endpoints'),
      ],
    },
    {
      happens: (page, stage) => startUpgrade(page, stage, 'hop run', 'calico-3.30.4-bpf', 'nodes moving'),
      scenes: [atRun('upgrade, run by a hop', 'hop run')],
    },
    {
      happens: (page, stage) => startUpgrade(page, stage, 'helm run', 'calico-helm-3.30.4-bpf', 'nodes moving'),
      scenes: [atRun('upgrade, run by Helm and a hop', 'helm run')],
    },
    {
      happens: (page, stage) => startUpgrade(page, stage, 'upgrade run', 'calico-3.30'),
      scenes: [atRun('upgrade, run', 'upgrade run')],
    },
    {
      happens: async (page, { memory }) => {
        await page.goto(memory.get('upgrade run') ?? '');
        await runSays(page, /^Done[:,]/);
      },
      scenes: [
        atRun('upgrade, run done', 'upgrade run'),
        {
          name: 'upgrade, report',
          arrive: async (page, { memory }) => {
            await page.goto(`${memory.get('upgrade run')}/report`);
            await page.getByRole('heading', { level: 1 }).waitFor();
          },
        },
        {
          name: 'upgrade, undo asked',
          arrive: async (page, { memory }) => {
            await page.goto(memory.get('upgrade run') ?? '');
            await page.getByRole('button', { name: 'Undo…' }).first().click();
            await page.waitForTimeout(2000);
          },
        },
      ],
    },
  ],
};

/** From the dashboard over the page *Ready to upgrade* to the review. */
async function reviewUpgrade(page: Page, sandbox: string): Promise<void> {
  await openCluster(page, mouse, sandbox);
  await page.getByRole('button', { name: /^Upgrade Calico to / }).click();
  await atStep(page, 'ready');
  await acceptQuestions(page);
  // By its address: the page is drawn anew after an answer, and a press meanwhile is lost.
  const review = await page.getByRole('link', { name: 'Review the plan' }).getAttribute('href');
  await page.goto(review ?? '');
  await atStep(page, 'review');
  await startForm(page).waitFor();
}

/** The same, started; its address is remembered. *nodes moving*: until the first of them is on its way. */
async function startUpgrade(
  page: Page,
  { memory }: Stage,
  remembered: string,
  sandbox: string,
  until?: 'nodes moving',
): Promise<void> {
  await reviewUpgrade(page, sandbox);
  const form = startForm(page);
  await form.getByRole('textbox').fill(sandbox);
  await form.getByRole('button').click();
  await page.waitForURL(/\/runs\/(?!draft-)[^/]+$/);
  memory.set(remembered, page.url());
  if (until) await page.getByRole('row', { name: /Moving.*calico-node/ }).waitFor({ timeout: 240_000 });
}

/** The upgrade dashboard of a run that was remembered. */
function atRun(name: string, remembered: string): Scene {
  return {
    name,
    arrive: async (page, { memory }) => {
      await page.goto(memory.get(remembered) ?? '');
      await page.getByRole('heading', { name: 'Components' }).waitFor();
      await page.waitForTimeout(1500);
    },
  };
}
