import type { Page } from 'playwright-core';
import { atResources } from '#e2e/browser/testing/at-resources.ts';
import { mouse } from '#e2e/browser/testing/hands.ts';
import type { Story } from './story.ts';

const opened = (page: Page) => page.getByRole('group', { name: 'How to edit the Installation' }).waitFor();
const yaml = (page: Page) => page.getByRole('button', { name: 'YAML', exact: true }).click();
const editor = (page: Page) => page.locator('.cm-content');

/** The custom resources of an installation: as proposed, filled in, and with what would be refused. */
export const resourcesStory: Story = {
  name: 'custom resources',
  start: async () => ({}),
  chapters: [
    {
      happens: async (page, { memory }) => {
        await atResources(page, mouse, 'empty-kubeadm');
        memory.set('resources', new URL(page.url()).pathname);
      },
      scenes: [
        scene('resources, as proposed', async () => undefined),
        scene('resources, YAML', async (page) => {
          await yaml(page);
          await editor(page).waitFor();
        }),
        scene('resources, refused', async (page) => {
          await page.getByLabel('CIDR').fill('10.96.0.0/16');
          await page.getByLabel('Registry').fill('registry.example.com');
          await page.getByText('fields would be refused').waitFor();
        }),
        scene('resources, refused in YAML', async (page) => {
          await yaml(page);
          await editor(page).getByText('10.96.0.0/16').click();
          await page.waitForTimeout(1500);
        }),
      ],
    },
  ],
};

function scene(name: string, arrange: (page: Page) => Promise<unknown>) {
  return {
    name,
    arrive: async (page: Page, { memory }: { memory: Map<string, string> }) => {
      await page.goto(memory.get('resources') ?? '');
      await opened(page);
      await arrange(page);
      await page.waitForTimeout(800);
    },
  };
}
