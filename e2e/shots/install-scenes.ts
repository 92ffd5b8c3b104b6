import type { Page } from 'playwright-core';
import { atResources } from '#e2e/browser/testing/at-resources.ts';
import { mouse } from '#e2e/browser/testing/hands.ts';
import { answerInstall, startInstall, uninstall } from '#e2e/browser/testing/install-journey.ts';
import { atStep, openCluster, runSays, startForm } from '#e2e/browser/testing/journey.ts';
import { stepIdsOf } from '#lib/console/wizard/index.ts';
import { heldState } from './held-state.ts';
import type { Scene, Stage, Story } from './story.ts';

const installSteps = stepIdsOf({ goal: 'install' }).filter((step) => step !== 'run');

const remember = (page: Page, { memory }: Stage, name: string) => void memory.set(name, new URL(page.url()).pathname);

function at(name: string, place: string, more = '', then?: (page: Page) => Promise<unknown>): Scene {
  return {
    name,
    arrive: async (page, { memory }) => {
      await page.goto(`${memory.get(place)}${more}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForTimeout(1500);
      await then?.(page);
    },
  };
}

/** A draft of which nothing is decided yet. */
async function answerUntilDecisions(page: Page): Promise<void> {
  await atResources(page, mouse, 'empty-kubeadm');
  await mouse.press(page.getByRole('button', { name: 'Continue' }));
  await atStep(page, 'compatibility');
}

/** Port 9, where nothing listens. */
async function chooseSilentMirror(page: Page): Promise<void> {
  await page.getByText('A mirror', { exact: true }).click();
  await page.getByLabel('Address of the mirror').fill('http://127.0.0.1:9/calico');
  // The first look has asked for them already.
  await page.getByRole('button', { name: /^Get the files|^Try again/ }).click();
  await page.waitForTimeout(4_000);
}

function dashboard(name: string, sandbox: string): Scene {
  return {
    name,
    arrive: async (page) => {
      await openCluster(page, mouse, sandbox);
      await page.waitForTimeout(2500);
    },
  };
}

async function beginInstall(page: Page, stage: Stage): Promise<void> {
  await page.goto(stage.memory.get('review') ?? '');
  await startForm(page).waitFor();
  await startInstall(page, mouse, 'empty-kubeadm');
  remember(page, stage, 'run');
}

/** One that waits for a node, for as long as somebody wants to look at it. */
export const standingInstallStory: Story = {
  name: 'an installation that stands still',
  start: async () => ({ state: await heldState('empty-kubeadm', 'worker-3') }),
  chapters: [
    {
      happens: async (page, stage) => {
        await openCluster(page, mouse, 'empty-kubeadm');
        await answerInstall(page, mouse);
        remember(page, stage, 'review');
        await beginInstall(page, stage);
        await page.waitForTimeout(15_000);
      },
      scenes: [at('install, run moving', 'run'), dashboard('install, dashboard during the run', 'empty-kubeadm')],
    },
  ],
};

/** Installing Calico on a cluster that has none, and taking it back to nothing. */
export const installStory: Story = {
  name: 'from nothing to Calico and back',
  start: async () => ({}),
  chapters: [
    {
      happens: async (page, stage) => {
        await answerUntilDecisions(page);
        stage.memory.set('open', new URL(page.url()).pathname.replace(/\/compatibility$/, ''));
      },
      scenes: [at('install, release not had', 'open', '/release', chooseSilentMirror)],
    },
    {
      happens: async (page, stage) => {
        await openCluster(page, mouse, 'empty-kubeadm');
        await answerInstall(page, mouse);
        remember(page, stage, 'review');
        stage.memory.set('draft', new URL(page.url()).pathname.replace(/\/review$/, ''));
      },
      scenes: [
        dashboard('install, dashboard without Calico', 'empty-kubeadm'),
        dashboard('install, dashboard half-finished', 'half-installed'),
        ...installSteps.map((step) => at(`install, ${step}`, 'draft', `/${step}`)),
      ],
    },
    {
      happens: async (page, stage) => {
        await beginInstall(page, stage);
        await runSays(page, /^Done/, 120_000);
      },
      scenes: [
        at('install, run done', 'run'),
        dashboard('install, dashboard installed', 'empty-kubeadm'),
        {
          name: 'install, uninstall asked',
          arrive: async (page, { memory }) => {
            await page.goto(memory.get('run') ?? '');
            await page.getByRole('button', { name: 'Uninstall…' }).click();
            await page.waitForTimeout(2500);
          },
        },
      ],
    },
    {
      happens: async (page, stage) => {
        await page.goto(stage.memory.get('run') ?? '');
        await uninstall(page, mouse, 'empty-kubeadm');
        await runSays(page, /^Uninstalled/, 120_000);
      },
      scenes: [at('install, uninstalled', 'run'), at('install, report', 'run', '/report')],
    },
  ],
};
