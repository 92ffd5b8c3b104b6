import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import type { Benchmark } from './benchmark.ts';
import { startEmulatedCluster } from './emulated-process.ts';
import { forgetFrames, framesSince, watchFrames } from './frames.ts';
import { loadNow, measuredConsole } from './measured-console.ts';
import { openDashboard } from './open-dashboard.ts';

/** From a key or a click to the next picture: half of what people feel as at once (reference › ui.md). A frame of a scroll may take twice that. */
const limitMs = 50;
const longestFrameMs = 100;
/** What a browser tells of at all. */
const shortestMs = 16;

/** What somebody does on the pages of a big cluster, and how long each key and click waits for the next picture. */
export const nodes: Benchmark = {
  name: 'nodes',
  title: 'The pages of a cluster of 5,000 nodes: first content, interactions, layout shift',
  async run({ report, options }) {
    const many = Number(options.nodes ?? 5_000);
    const cluster = await startEmulatedCluster(many, report);
    const measured = await measuredConsole(cluster.kubeconfig).catch((error: unknown) => {
      cluster.stop();
      throw error;
    });
    const { page, console, cdp } = measured;
    try {
      await page.addInitScript(watchPage);
      await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
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

      const lines: string[] = [];
      const act = async (what: string, act: () => Promise<void>) => {
        await page.evaluate(() => {
          window.benchInputs = [];
        });
        const before = await busyMs(cdp);
        await act();
        await sleep(400);
        const busy = `; the page's thread computed for ${((await busyMs(cdp)) - before).toFixed(0)} ms`;
        const took = await page.evaluate(() => [...window.benchInputs]);
        lines.push(
          took.length === 0
            ? `${what}: under ${shortestMs} ms (≤ ${limitMs})${busy}`
            : `${what}: ${Math.max(...took).toFixed(0)} ms (≤ ${limitMs}), the worst of ${took.length} over ${shortestMs} ms${busy}`,
        );
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
      shifts.set('filtering and sorting', await layoutShift(page));
      await watchFrames(page);
      const box = page.getByRole('region', { name: 'Nodes, scrolls' });
      await box.hover();
      await forgetFrames(page);
      // Notches of a wheel, and then a throw of a touchpad.
      for (let notch = 0; notch < 100; notch++) {
        await page.mouse.wheel(0, notch < 60 ? 120 : 600);
        await sleep(16);
      }
      await sleep(300);
      const scrolling = Math.max(...(await framesSince(page)).frames);
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
      cluster.stop();
    }
  },
};

type Shift = { value: number; what: string };
type LayoutShift = PerformanceEntry & {
  value: number;
  hadRecentInput: boolean;
  sources: { node?: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
};

declare global {
  interface Window {
    /** From an input to the next picture, ms in steps of 8 (Event Timing). */
    benchInputs: number[];
    benchShift: Shift;
  }
}

/** Runs in every document before anything of the page. */
function watchPage(): void {
  window.benchInputs = [];
  window.benchShift = { value: 0, what: '' };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEventTiming & { interactionId?: number })[])
      if (entry.interactionId) window.benchInputs.push(entry.duration);
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
  // As Cumulative Layout Shift counts: the worst burst of at most 5 s with gaps under 1 s.
  let sum = 0;
  let began = 0;
  let last = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as LayoutShift[]) {
      if (entry.hadRecentInput) continue;
      if (entry.startTime - last > 1000 || entry.startTime - began > 5000) {
        sum = 0;
        began = entry.startTime;
      }
      last = entry.startTime;
      sum += entry.value;
      if (sum <= window.benchShift.value) continue;
      const [source] = entry.sources;
      const element = source?.node instanceof Element ? source.node : source?.node?.parentElement;
      const from = source?.previousRect;
      const to = source?.currentRect;
      window.benchShift = {
        value: sum,
        what: `<${element?.tagName.toLowerCase()} class="${element?.className}"> from ${from?.x},${from?.y} ${from?.width}×${from?.height} to ${to?.x},${to?.y} ${to?.width}×${to?.height}`,
      };
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** What the page's main thread has computed for: on a busy machine pictures also wait for others, this does not. */
async function busyMs(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}

/** The worst since it was asked for last. */
function layoutShift(page: Page): Promise<Shift> {
  return page.evaluate(() => {
    const worst = window.benchShift;
    window.benchShift = { value: 0, what: '' };
    return worst;
  });
}

function middle(values: readonly number[]): string {
  return ([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN).toFixed(0);
}
