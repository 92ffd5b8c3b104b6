import { setTimeout as sleep } from 'node:timers/promises';
import type { Benchmark } from './benchmark.ts';
import { longestFrameMs, scrollThrough, watchFrames } from './frames.ts';
import { countThread, interactions, layoutShift, watchPage } from './interactions.ts';
import { loadNow, measuredConsoleOf } from './measured-console.ts';
import { openDashboard } from './open-dashboard.ts';

/** What somebody does on the pages of a big cluster, and how long each key and click waits for the next picture. */
export const nodes: Benchmark = {
  name: 'nodes',
  title: 'The pages of a cluster of 5,000 nodes: first content, interactions, layout shift',
  async run({ report, options }) {
    const many = Number(options.nodes ?? 5_000);
    const measured = await measuredConsoleOf(many, report);
    const { cluster, page, console, cdp } = measured;
    try {
      await page.addInitScript(watchPage);
      await countThread(cdp);
      const started = performance.now();
      await page.goto('/');
      const link = page.getByRole('link', { name: cluster.name, exact: true });
      const href = await link.getAttribute('href');
      const asked = performance.now();
      await link.click();
      await page.getByRole('region', { name: 'Nodes, scrolls' }).waitFor({ timeout: 120_000 });
      const coldMs = performance.now() - asked;
      await openDashboard(page, cluster.name, many);
      report(`all agents were heard ${((performance.now() - started) / 1000).toFixed(1)} s after the first request`);
      const shifts = new Map([['first look', await layoutShift(page)]]);

      const content: number[] = [];
      const interactive: number[] = [];
      for (let round = 0; round < Number(options.rounds ?? 5); round++) {
        await page.goto(`${console.url}${href}`);
        await page
          .getByText(/live · /)
          .first()
          .waitFor();
        content.push(
          await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0),
        );
        interactive.push(
          await page.evaluate(() => {
            const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
            return load?.domContentLoadedEventEnd ?? 0;
          }),
        );
        shifts.set(`load ${round + 1}`, await layoutShift(page));
      }

      const { act, lines } = interactions(page, cdp);
      const name = page.getByLabel('Filter nodes by name');
      await act('typing into the filter', () => name.pressSequentially('node-49', { delay: 60 }));
      await act('emptying the filter', () => name.fill('').then(() => name.press('Backspace')));
      await act('sorting by state', () => page.getByRole('button', { name: 'Data plane', exact: true }).click());
      await act('sorting by name, and backwards', async () => {
        const button = page.getByRole('button', { name: 'Node', exact: true });
        await button.click();
        await sleep(300);
        await button.click();
      });
      await act('filtering by state', () =>
        page
          .locator('label', { hasText: /^Standard/ })
          .first()
          .click(),
      );
      shifts.set('filtering and sorting', await layoutShift(page));
      await watchFrames(page);
      const scrolled = await scrollThrough(page, page.getByRole('region', { name: 'Nodes, scrolls' }));
      const scrolling = Math.max(...scrolled.frames);
      lines.push(`scrolling through the list: longest frame ${scrolling.toFixed(0)} ms (≤ ${longestFrameMs})`);
      shifts.set('scrolling', await layoutShift(page));

      await act('going to the findings', () =>
        page
          .getByRole('link', { name: /^Findings/ })
          .first()
          .click(),
      );
      const search = page.getByRole('searchbox', { name: 'Filter findings by text' });
      await search.waitFor({ timeout: 120_000 });
      await sleep(500);
      await act('filtering the findings', () => search.pressSequentially('node-1', { delay: 60 }));
      const finding = page.getByRole('article').first();
      await act('opening a finding', () => finding.locator('summary').first().click());
      await act('opening what was read', () => finding.getByText('What was read').first().click());
      shifts.set('findings', await layoutShift(page));
      const [where, worst] = [...shifts].reduce((one, other) => (other[1].value > one[1].value ? other : one));
      for (const [stage, { value, what }] of shifts)
        if (value > 0) report(`${stage}: layout shift ${value.toFixed(4)}, ${what}`);
      return [
        `${many} nodes, ${loadNow()}`,
        `first look of a console that has not read the cluster yet: ${(coldMs / 1000).toFixed(1)} s until its nodes are listed`,
        `opened again: first content ${middle(content)} ms, page read and ready ${middle(interactive)} ms (medians of ${content.length})`,
        ...lines,
        `layout shift: ${worst.value.toFixed(4)} (≤ 0.02), at most, at: ${where}`,
      ];
    } finally {
      await measured.close();
    }
  },
};

function middle(values: readonly number[]): string {
  return ([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN).toFixed(0);
}
