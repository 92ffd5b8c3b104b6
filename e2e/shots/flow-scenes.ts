import type { Page } from 'playwright-core';
import { mouse } from '#e2e/browser/testing/hands.ts';
import { answerWizard, openCluster, runSays, startRun } from '#e2e/browser/testing/journey.ts';
import { eventually } from '#e2e/cluster/testing/eventually.ts';
import type { Scene, Story } from './story.ts';

function flows(name: string, sandbox: string, query: string, then: (page: Page) => Promise<unknown>): Scene {
  return {
    name,
    arrive: async (page) => {
      await openCluster(page, mouse, sandbox);
      await page.goto(`${new URL(page.url()).pathname}/flows${query === '' ? '' : `?q=${encodeURIComponent(query)}`}`);
      await then(page);
    },
  };
}

const rows = (page: Page) => page.getByRole('table').getByRole('button', { expanded: false });

/** What the network decided: as it comes, one flow opened, none that matches, and where flow logs are off. */
export const flowScenes: readonly Scene[] = [
  { ...flows('flows', 'flow-logs', '', (page) => rows(page).first().waitFor()), isAlsoBroad: true },
  flows('flows, one opened', 'flow-logs', 'to:payments/ledger-db verdict:denied', async (page) => {
    await rows(page).first().click();
    await page.getByRole('button', { name: 'Only this pair' }).waitFor();
  }),
  flows('flows, a window of the past', 'flow-logs', 'verdict:denied', async (page) => {
    await page.getByRole('slider', { name: 'Window begins' }).focus();
    for (const key of ['PageUp', 'PageUp', 'ArrowRight']) await page.keyboard.press(key);
    await page.getByRole('slider', { name: 'Window ends' }).focus();
    for (const key of ['PageDown', 'PageDown']) await page.keyboard.press(key);
    await page.getByText('Each flow once').waitFor();
    await rows(page).first().waitFor();
  }),
  flows('flows, bytes of an hour', 'flow-logs', '', async (page) => {
    await page.getByRole('button', { name: '1 h', exact: true }).click();
    await page.getByRole('button', { name: 'Bytes' }).click();
    await page.waitForTimeout(1500);
  }),
  flows('flows, completion', 'flow-logs', '', async (page) => {
    await rows(page).first().waitFor();
    // Rows come with the page, and keys are listened to once its script has come: until then they are lost.
    const field = page.getByRole('combobox', { name: 'Filter flows' });
    await eventually('the field to be reached', async () => {
      await page.keyboard.press('/');
      return field.evaluate((one) => one === document.activeElement);
    });
    await page.keyboard.type('verdict:denied to:p');
    await page.getByRole('listbox').getByRole('option').first().waitFor();
    await page.keyboard.press('ArrowDown');
  }),
  flows('flows, views', 'flow-logs', 'verdict:denied to:payments/', async (page) => {
    await rows(page).first().waitFor();
    await page.getByText('Views', { exact: true }).click();
    await page.getByLabel('Name of the view').fill('Denied payments');
    await page.getByRole('button', { name: 'Save' }).click();
  }),
  flows('flows, top', 'flow-logs', '', async (page) => {
    await rows(page).first().waitFor();
    await page.getByRole('button', { name: 'Top' }).click();
  }),
  flows('flows, map', 'flow-logs', '', async (page) => {
    await rows(page).first().waitFor();
    await page.getByRole('button', { name: 'Map' }).click();
    await page.getByRole('table', { name: 'The map as a table' }).waitFor();
    await page.waitForTimeout(1500);
  }),
  flows('flows, why', 'flow-logs', 'to:payments/ledger-db verdict:denied', async (page) => {
    await rows(page).first().click();
    await page.getByRole('button', { name: 'Why, at both ends' }).click();
    await page.getByText('as flow logs saw it').waitFor();
  }),
  flows('flows, changes without a run', 'flow-logs', '', async (page) => {
    await rows(page).first().waitFor();
    await page.getByRole('button', { name: 'Changes' }).click();
    await page.getByText('there is nothing to compare with', { exact: false }).waitFor();
  }),
  flows('flows, a policy suggested', 'flow-logs', 'to:payments/ledger-db', async (page) => {
    await rows(page).first().click();
    await page.getByRole('button', { name: /^Suggest a policy.*ledger-db/ }).click();
    await page.getByText('kind: StagedNetworkPolicy').waitFor();
  }),
  flows('flows, query not understood', 'flow-logs', 'colour:red', (page) =>
    page.getByText('colour is not a key').waitFor(),
  ),
  flows('flows, none matches', 'flow-logs', 'from:nobody/there', (page) => page.getByText('No flow matches').waitFor()),
  flows('flows, nothing installed', 'empty', '', (page) => page.getByRole('heading', { level: 1 }).waitFor()),
  flows('flows, not enabled', 'standard', '', (page) =>
    page.getByRole('heading', { name: 'Flow logs are not enabled' }).waitFor(),
  ),
];

/** The page of a cluster that a run has moved, on *Changes*. */
async function openChanges(page: Page): Promise<void> {
  await openCluster(page, mouse, 'flow-logs');
  await page.goto(`${new URL(page.url()).pathname}/flows?show=changes`);
  // Flows arrive in buckets: nothing can be compared in the first half minute after the run.
  await page.getByText(/that talked in the .* before the run/).waitFor({ timeout: 120_000 });
}

/** What the network decided before a run and since. */
export const changesStory: Story = {
  name: 'flows around a run',
  start: async () => ({}),
  chapters: [
    {
      happens: async (page) => {
        await openCluster(page, mouse, 'flow-logs');
        await answerWizard(page, mouse);
        await startRun(page, mouse, 'flow-logs');
        await runSays(page, /^Done/);
        await openChanges(page);
      },
      scenes: [{ name: 'flows, changes since a run', isAlsoBroad: true, arrive: openChanges }],
    },
  ],
};
