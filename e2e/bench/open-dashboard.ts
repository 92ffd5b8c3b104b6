import type { Page } from 'playwright-core';
import { eventually } from '#e2e/cluster/testing/eventually.ts';

/** A first look at thousands of nodes includes a list of them all, and a log of each agent is read afterwards. */
const patience = { withinMs: 420_000, everyMs: 500 };

/** From the list of clusters to a dashboard that is live and shows where every node stands. */
export async function openDashboard(page: Page, name: string, nodes: number): Promise<void> {
  await page.goto('/');
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor({ timeout: patience.withinMs });
  await page
    .getByText(/live · /)
    .first()
    .waitFor({ timeout: patience.withinMs });
  const all = nodes.toLocaleString('en');
  await eventually(
    'every agent to be heard',
    async () => (await page.getByText(new RegExp(`All ${all} nodes are on`)).count()) > 0,
    patience,
  );
}
