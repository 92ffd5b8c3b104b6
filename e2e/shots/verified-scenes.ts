import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mouse } from '#e2e/browser/testing/hands.ts';
import { answerWizard, openCluster, runSays, startRun } from '#e2e/browser/testing/journey.ts';
import { openSandbox } from '#lib/sandbox/index.ts';
import type { Story } from './story.ts';

const name = 'sandbox-standard';

/** A cluster on which nothing was measured, as sandboxes always are: here a sandbox behind its API, and what a run proved of it. */
export const verifiedStory: Story = {
  name: 'what a run proved',
  start: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-shots-'));
    const sandbox = await openSandbox('standard', { state: folder, speed: 'normal' });
    const { kubeconfig } = await sandbox.serve();
    return {
      kubeconfig,
      end: () => void sandbox.close().finally(() => rmSync(folder, { recursive: true, force: true })),
    };
  },
  chapters: [
    {
      happens: async (page) => {
        await openCluster(page, mouse, name);
        await answerWizard(page, mouse);
        await startRun(page, mouse, name);
        await runSays(page, /^Done/);
      },
      scenes: [
        {
          name: 'findings, verified by a run',
          arrive: async (page) => {
            await openCluster(page, mouse, name);
            await page.goto(`${new URL(page.url()).pathname}/findings`);
            await page
              .getByText(/verified by a run$/)
              .first()
              .waitFor();
          },
        },
      ],
    },
  ],
};
