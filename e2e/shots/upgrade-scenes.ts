import type { Page } from 'playwright-core';
import { mouse } from '#e2e/browser/testing/hands.ts';
import { acceptQuestions, atStep, openCluster, openSteps, runSays, startForm } from '#e2e/browser/testing/journey.ts';
import type { Scene, Story } from './story.ts';

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
      await openCluster(page, mouse, sandbox);
      await openSteps(page, mouse, page.getByRole('button', { name: /eBPF/ }));
      await page.getByRole('radio', { name: /^Upgrade/ }).check();
      for (const next of ['release', 'changes', 'afterwards']) {
        await page.getByRole('button', { name: 'Continue' }).click();
        await atStep(page, next);
      }
      await page
        .getByRole('group', { name: what })
        .getByRole('radio', { name: /^Do it/ })
        .check();
      await page.waitForTimeout(1500);
    },
  };
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
        { name: 'upgrade, review by Helm', arrive: (page) => reviewUpgrade(page, 'calico-helm-3.32') },
        step('upgrade, changes by the operator', 'calico-3.30', 'Your changes'),
        { name: 'upgrade, review', arrive: (page) => reviewUpgrade(page, 'calico-3.30.4-bpf') },
        afterwards('upgrade, afterwards', 'old-sidecars', 'Sidecars of application layer policy'),
        afterwards('upgrade, afterwards with host endpoints', 'host-endpoints', 'Automatic host endpoints'),
      ],
    },
    {
      happens: async (page, { memory }) => {
        memory.set('hop run', await startUpgrade(page, 'calico-3.30.4-bpf'));
        // Until nodes are on their way to the hop.
        await page.getByRole('row', { name: /Moving.*calico-node/ }).waitFor({ timeout: 240_000 });
      },
      scenes: [
        {
          name: 'upgrade, run by a hop',
          arrive: async (page, { memory }) => {
            await page.goto(memory.get('hop run') ?? '');
            await page.getByRole('heading', { name: 'Components' }).waitFor();
            await page.waitForTimeout(3000);
          },
        },
      ],
    },
    {
      happens: async (page, { memory }) => {
        memory.set('helm run', await startUpgrade(page, 'calico-helm-3.30.4-bpf'));
        await page.getByRole('row', { name: /Moving.*calico-node/ }).waitFor({ timeout: 240_000 });
      },
      scenes: [
        {
          name: 'upgrade, run by Helm and a hop',
          arrive: async (page, { memory }) => {
            await page.goto(memory.get('helm run') ?? '');
            await page.getByRole('heading', { name: 'Components' }).waitFor();
            await page.waitForTimeout(3000);
          },
        },
      ],
    },
    {
      happens: async (page, { memory }) => {
        memory.set('upgrade run', await startUpgrade(page, 'calico-3.30'));
      },
      scenes: [
        {
          name: 'upgrade, run',
          arrive: async (page, { memory }) => {
            await page.goto(memory.get('upgrade run') ?? '');
            await page.getByRole('heading', { name: 'Components' }).waitFor();
            await page.waitForTimeout(3000);
          },
        },
      ],
    },
    {
      happens: async (page, { memory }) => {
        await page.goto(memory.get('upgrade run') ?? '');
        await runSays(page, /^Done[:,]/);
      },
      scenes: [
        {
          name: 'upgrade, run done',
          arrive: async (page, { memory }) => {
            await page.goto(memory.get('upgrade run') ?? '');
            await page.getByRole('heading', { name: 'Components' }).waitFor();
            await page.waitForTimeout(1500);
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
  await page.getByRole('link', { name: 'Review the plan' }).click();
  await atStep(page, 'review');
  await startForm(page).waitFor();
}

/** The same, started; answers the run's address. */
async function startUpgrade(page: Page, sandbox: string): Promise<string> {
  await reviewUpgrade(page, sandbox);
  const form = startForm(page);
  await form.getByRole('textbox').fill(sandbox);
  await form.getByRole('button').click();
  await page.waitForURL(/\/runs\/(?!draft-)[^/]+$/);
  return page.url();
}
