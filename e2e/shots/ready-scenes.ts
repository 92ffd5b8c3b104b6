import type { Page } from 'playwright-core';
import { mouse } from '#e2e/browser/testing/hands.ts';
import { atStep, openCluster } from '#e2e/browser/testing/journey.ts';
import type { Scene, Story } from './story.ts';

/** The page *Ready to …* of a sandbox, opened by its button, anew for each look. */
function ready(
  name: string,
  sandbox: string,
  then?: (page: Page) => Promise<unknown>,
  begins = /^(Enable eBPF|Install Calico)$/,
): Scene {
  return {
    name,
    isAlsoBroad: true,
    arrive: async (page) => {
      await openCluster(page, mouse, sandbox);
      await page.getByRole('button', { name: begins }).first().click();
      await atStep(page, 'ready');
      await page.getByRole('heading', { name: 'Found' }).waitFor();
      await then?.(page);
      await page.waitForTimeout(500);
    },
  };
}

/** From the dashboard to the review on one page: healthy, blocked, with a question, with several, and where nothing is installed. */
export const readyStory: Story = {
  name: 'ready',
  start: async () => ({}),
  chapters: [
    {
      happens: async () => undefined,
      scenes: [
        ready('ready', 'standard'),
        ready('ready, blocked', 'old-kernel'),
        ready('ready, tests shown', 'standard', async (page) => {
          const measured = page.getByRole('region', { name: 'Measured on the nodes' });
          await measured.getByText('Test the nodes again').click();
          await measured.getByText('What the pods run, and which objects are created').click();
        }),
        ready('ready, testing', 'kubeadm-ha', async (page) => {
          const measured = page.getByRole('region', { name: 'Measured on the nodes' });
          await measured.getByText('Test the nodes again').click();
          await measured.getByRole('button', { name: /^Test \d+ nodes$/ }).click();
          // On a busy machine the last node has reported before this is looked at, and then there is nothing to wait for.
          await measured
            .getByText(/nodes reported$/)
            .waitFor({ timeout: 5_000 })
            .catch(() => undefined);
        }),
        ready('ready, a question', 'single-address'),
        ready('ready, many questions', 'mke'),
        ready('ready, install', 'empty-kubeadm'),
        ready('ready, upgrade', 'calico-3.30', undefined, /^Upgrade Calico to /),
        ready('ready, a fix left out', 'kubeadm-ha', async (page) => {
          await page.getByText('Leave it out…').first().click();
        }),
      ],
    },
  ],
};
