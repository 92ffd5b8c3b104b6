import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { Benchmark } from './benchmark.ts';
import { forgetFrames, framesSince, watchFrames } from './frames.ts';
import { loadNow, measuredConsole } from './measured-console.ts';
import { openDashboard } from './open-dashboard.ts';
import { startPlayedCluster } from './played-process.ts';

const limitMs = 100;

/** What somebody does on the pages of a big cluster, and how long each key and click waits for the next picture. */
export const nodes: Benchmark = {
  name: 'nodes',
  title: 'The pages of a cluster of 5,000 nodes: first content, interactions, layout shift',
  async run({ report, options }) {
    const many = Number(options.nodes ?? 5_000);
    const cluster = await startPlayedCluster(many, report);
    const measured = await measuredConsole(cluster.kubeconfig).catch((error: unknown) => {
      cluster.stop();
      throw error;
    });
    const { page, console } = measured;
    try {
      await page.addInitScript(watchPage);
      const started = performance.now();
      await page.goto('/');
      const href = await page.getByRole('link', { name: cluster.name, exact: true }).getAttribute('href');
      await openDashboard(page, cluster.name, many);
      report(`all agents were heard ${((performance.now() - started) / 1000).toFixed(1)} s after the first request`);
      const shifts = [await layoutShift(page)];

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
        shifts.push(await layoutShift(page));
      }

      const lines: string[] = [];
      const act = async (what: string, act: () => Promise<void>) => {
        await page.evaluate(() => {
          window.benchInputs = [];
        });
        await act();
        await sleep(400);
        const took = await page.evaluate(() => [...window.benchInputs]);
        const worst = Math.max(0, ...took);
        lines.push(`${what}: ${worst.toFixed(0)} ms (≤ ${limitMs}), the worst of ${took.length} events`);
      };
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
      await watchFrames(page);
      const box = page.getByRole('region', { name: 'Nodes, scrolls' });
      await box.hover();
      await forgetFrames(page);
      for (let wheel = 0; wheel < 60; wheel++) await page.mouse.wheel(0, 900);
      await sleep(300);
      const scrolling = Math.max(...(await framesSince(page)).frames);
      lines.push(`scrolling through the list: longest frame ${scrolling.toFixed(0)} ms (≤ ${limitMs})`);
      shifts.push(await layoutShift(page));

      await act('going to the findings', () =>
        page
          .getByRole('link', { name: /^Findings/ })
          .first()
          .click(),
      );
      const subjects = page.getByRole('searchbox', { name: 'Filter' }).first();
      await subjects.waitFor({ timeout: 120_000 });
      await sleep(500);
      await act('filtering the subjects of a finding', () => subjects.pressSequentially('node-1', { delay: 60 }));
      await act('opening what was read', () => page.getByText('What was read').first().click());
      shifts.push(await layoutShift(page));
      return [
        `${many} nodes, ${loadNow()}`,
        `first content ${middle(content)} ms, page read and ready ${middle(interactive)} ms (medians of ${content.length})`,
        ...lines,
        `layout shift: ${Math.max(...shifts).toFixed(4)} (< 0.05), the worst of ${shifts.length} pages`,
      ];
    } finally {
      await measured.close();
      cluster.stop();
    }
  },
};

declare global {
  interface Window {
    /** From an input to the next picture, ms in steps of 8 (Event Timing). */
    benchInputs: number[];
    benchShift: number;
  }
}

/** Runs in every document before anything of the page. */
function watchPage(): void {
  window.benchInputs = [];
  window.benchShift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEventTiming & { interactionId?: number })[])
      if (entry.interactionId) window.benchInputs.push(entry.duration);
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
      if (!entry.hadRecentInput) window.benchShift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Of the document that is open, summed up over its whole life: stricter than Cumulative Layout Shift. */
function layoutShift(page: Page): Promise<number> {
  return page.evaluate(() => window.benchShift);
}

function middle(values: readonly number[]): string {
  return ([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN).toFixed(0);
}
