import type { Page } from 'playwright-core';
import { mouse } from '#e2e/browser/testing/hands.ts';
import { answerInstall, startInstall, uninstall } from '#e2e/browser/testing/install-journey.ts';
import { openCluster, runSays, startForm } from '#e2e/browser/testing/journey.ts';
import type { Scene, Stage, Story } from './story.ts';

const installSteps = [
  'goal',
  'platform',
  'endpoint',
  'proxy',
  'release',
  'resources',
  'options',
  'compatibility',
  'review',
];

const remember = (page: Page, { memory }: Stage, name: string) => void memory.set(name, new URL(page.url()).pathname);

function at(name: string, place: string, more = ''): Scene {
  return {
    name,
    arrive: async (page, { memory }) => {
      await page.goto(`${memory.get(place)}${more}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForTimeout(1500);
    },
  };
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

/** Installing Calico on a cluster that has none, and taking it back to nothing. */
export const installStory: Story = {
  name: 'from nothing to Calico and back',
  start: async () => ({}),
  chapters: [
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
        await page.goto(stage.memory.get('review') ?? '');
        await startForm(page).waitFor();
        await startInstall(page, mouse, 'empty-kubeadm');
        remember(page, stage, 'run');
        await page.waitForTimeout(4_000);
      },
      scenes: [at('install, run moving', 'run')],
    },
    {
      happens: async (page, stage) => {
        await page.goto(stage.memory.get('run') ?? '');
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
