import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';

/** From a key or a click to the next picture: half of what people feel as at once (reference › ui.md). */
const limitMs = 50;
/** The shortest interaction that a browser reports (Event Timing API), ms. */
const shortestMs = 16;

/** Before `busyMs`. */
export async function countThread(cdp: CDPSession): Promise<void> {
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
}

/** Keys and clicks on a page that `watchPage` watches, each with a line of how long it waited for the next picture and what the page computed meanwhile. */
export function interactions(
  page: Page,
  cdp: CDPSession,
): { lines: string[]; act(what: string, act: () => Promise<void>): Promise<void> } {
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
  return { lines, act };
}

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
export function watchPage(): void {
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

/** Milliseconds for which the page's main thread has computed. Unlike the time to a picture, other processes do not lengthen it. */
export async function busyMs(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}

/** The worst since it was asked for last. */
export function layoutShift(page: Page): Promise<Shift> {
  return page.evaluate(() => {
    const worst = window.benchShift;
    window.benchShift = { value: 0, what: '' };
    return worst;
  });
}
