import type { Page } from 'playwright-core';
import { mouse } from '#e2e/browser/testing/hands.ts';
import { atStep, openCluster } from '#e2e/browser/testing/journey.ts';
import type { Scene, Story } from './story.ts';

/** The page *Ready to …* of a sandbox, opened by its button, anew for each look. */
function ready(name: string, sandbox: string, then?: (page: Page) => Promise<unknown>): Scene {
  return {
    name,
    isAlsoBroad: true,
    arrive: async (page) => {
      await openCluster(page, mouse, sandbox);
      await page
        .getByRole('button', { name: /^(Enable eBPF|Install Calico)$/ })
        .first()
        .click();
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
        ready('ready, a question', 'single-address'),
        ready('ready, many questions', 'mke'),
        ready('ready, install', 'empty-kubeadm'),
        ready('ready, a fix left out', 'kubeadm-ha', async (page) => {
          await page.getByText('Leave it out…').first().click();
        }),
      ],
    },
  ],
};
