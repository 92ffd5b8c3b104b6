import { setTimeout as sleep } from 'node:timers/promises';
import type { Benchmark } from './benchmark.ts';
import { forgetFrames, framesSince, watchFrames } from './frames.ts';
import { heapMiB, loadNow, measuredConsoleOf, percentile, residentMiB } from './measured-console.ts';
import { openDashboard } from './open-dashboard.ts';

/** Before this all is new: code is compiled, buffers find their size. */
const firstLookMs = 10_000;

/** A dashboard of a big cluster while events pour in, each of which changes what is shown. */
export const flood: Benchmark = {
  name: 'flood',
  title: 'A dashboard under 500 events a second for 60 s',
  async run({ report, options }) {
    const nodes = Number(options.nodes ?? 5_000);
    const perSecond = Number(options.rate ?? 500);
    const forMs = Number(options.seconds ?? 60) * 1000;
    const measured = await measuredConsoleOf(nodes, report);
    const { cluster, console, page, cdp } = measured;
    try {
      await openDashboard(page, cluster.name, nodes);
      report(`the dashboard is settled; ${loadNow()}`);
      const resident = () => residentMiB(console.pid());
      const before = { heap: await heapMiB(cdp), resident: resident() };
      await watchFrames(page);
      await page.evaluate(watchDelays);
      const flooding = cluster.flood({ perSecond, forMs });
      const earlyMs = Math.min(firstLookMs, forMs / 2);
      await sleep(earlyMs);
      const early = { heap: await heapMiB(cdp), resident: resident() };
      // A full collection stops the page: that frame is ours.
      await forgetFrames(page);
      const { events, ms } = await flooding;
      const late = { heap: 0, resident: resident() };
      const delays = await page.evaluate(() => window.benchDelays);
      const { frames, tasks } = await framesSince(page);
      late.heap = await heapMiB(cdp);
      const mib = (value: number | null) => (value === null ? '?' : value.toFixed(0));
      return [
        `${events} events in ${(ms / 1000).toFixed(1)} s on ${nodes} nodes, ${loadNow()}`,
        `longest frame ${Math.max(0, ...frames).toFixed(0)} ms (≤ 200), p99 ${percentile(frames, 0.99).toFixed(0)} ms, median ${percentile(frames, 0.5).toFixed(0)} ms of ${frames.length} frames; longest task ${Math.max(0, ...tasks).toFixed(0)} ms`,
        `event → DOM: p50 ${percentile(delays, 0.5)} ms, p99 ${percentile(delays, 0.99)} ms (≤ 150) of the ${delays.length} that were shown`,
        `page's heap after collection: ${mib(before.heap)} MiB before, ${mib(early.heap)} at ${earlyMs / 1000} s, ${mib(late.heap)} at the end; end ÷ ${earlyMs / 1000} s: ${(late.heap / early.heap).toFixed(2)} (≤ 1.10)`,
        `console's resident memory: ${mib(before.resident)} MiB before, ${mib(early.resident)} at ${earlyMs / 1000} s, ${mib(late.resident)} at the end`,
      ];
    } finally {
      await measured.close();
    }
  },
};

declare global {
  interface Window {
    benchDelays: number[];
  }
}

/** Records how old a text is that comes into the document and names the time at which it was sent, ms. Runs in the page. */
function watchDelays(): void {
  window.benchDelays = [];
  let newest = 0;
  new MutationObserver((changes) => {
    const now = Date.now();
    for (const { target } of changes) {
      if (target.nodeType !== Node.TEXT_NODE) continue;
      const writtenAt = Number(/told at (\d+)\./.exec(target.textContent ?? '')?.[1] ?? 0);
      if (writtenAt <= newest) continue;
      newest = writtenAt;
      window.benchDelays.push(now - writtenAt);
    }
  }).observe(document.body, { subtree: true, characterData: true });
}
