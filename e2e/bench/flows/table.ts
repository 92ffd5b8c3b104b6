import { setTimeout as sleep } from 'node:timers/promises';
import { mouse } from '#e2e/browser/testing/hands.ts';
import { openCluster } from '#e2e/browser/testing/journey.ts';
import { eventually } from '#e2e/cluster/testing/eventually.ts';
import type { Benchmark } from '../benchmark.ts';
import { forgetFrames, framesSince, longestFrameMs, scrollThrough, watchFrames } from '../frames.ts';
import { heapMiB, loadNow, measuredConsole, percentile } from '../measured-console.ts';
import { busyFlow } from './busy-flow.ts';

/** As the console tells them at once (lib/console/streams/flow-feed.ts). */
const perEvent = 500;
/** Before this all is new: code is compiled, buffers find their size. */
const firstLookMs = 10_000;
const bucket = 1_800_000_000;
/** A full collection stops the page, which catches up then: those frames are ours. */
const afterCollection = () => sleep(1_000);

/**
 * The page of flows while `--rate` of them (10,000) come in a second for `--seconds` (60). Events are made in the page, in place of those of the console, and
 * read by it as if they came from there: what making them takes is in the figures, what the network takes is not.
 */
export const flowTable: Benchmark = {
  name: 'flow-table',
  title: 'The page of flows under 10,000 flows a second',
  async run({ report, options }) {
    const perSecond = Number(options.rate ?? 10_000);
    const forMs = Number(options.seconds ?? 60) * 1000;
    const measured = await measuredConsole();
    const { page, cdp } = measured;
    try {
      await openCluster(page, mouse, 'flow-logs');
      await page.addInitScript(pourFlows, { event: eventText(), perEvent, perSecond, bucket });
      await page.goto(`${new URL(page.url()).pathname}/flows`);
      const table = page.getByRole('table');
      await eventually('flows to come', async () => (await page.evaluate(() => window.benchPoured)) > 10);
      await watchFrames(page);
      const earlyMs = Math.min(firstLookMs, forMs / 2);
      await sleep(earlyMs);
      const early = await heapMiB(cdp);
      const poured = await page.evaluate(() => window.benchPoured);
      await afterCollection();
      await forgetFrames(page);
      const began = performance.now();
      await sleep(forMs - earlyMs);
      const watching = await framesSince(page);
      const seconds = (performance.now() - began) / 1000;
      const came = ((await page.evaluate(() => window.benchPoured)) - poured) * perEvent;
      const late = await heapMiB(cdp);
      report('scrolling, while they come');
      await afterCollection();
      const flows = page.getByRole('group', { name: 'Flows, scrolls' });
      const scrolling = await scrollThrough(page, flows, { slow: 40, fast: 20 });
      const rows = await table.getByRole('row').count();
      const kept = await table.getAttribute('aria-rowcount');
      const longest = (values: readonly number[]) => Math.max(0, ...values).toFixed(0);
      return [
        `${came} flows in ${seconds.toFixed(1)} s, ${(came / seconds).toFixed(0)} a second; ${loadNow()}`,
        `longest frame ${longest(watching.frames)} ms (≤ ${longestFrameMs}), p99 ${percentile(watching.frames, 0.99).toFixed(0)} ms, median ${percentile(watching.frames, 0.5).toFixed(0)} ms of ${watching.frames.length} frames; longest task ${longest(watching.tasks)} ms`,
        `scrolling meanwhile: longest frame ${longest(scrolling.frames)} ms (≤ ${longestFrameMs}); longest task ${longest(scrolling.tasks)} ms`,
        `page's heap after collection: ${early.toFixed(1)} MiB at ${earlyMs / 1000} s, ${late.toFixed(1)} at the end; ${(((late - early) / seconds) * 60).toFixed(2)} MiB a minute, end ÷ ${earlyMs / 1000} s: ${(late / early).toFixed(2)} (≤ 1.10)`,
        `${rows} rows drawn of ${kept}`,
      ];
    } finally {
      await measured.close();
    }
  },
};

/** Flows as an event has them: `@` stands for its number, in what makes a flow another one and in names, so that each row says something new. */
function eventText(): string {
  const flows = Array.from({ length: perEvent }, (_, index) => {
    const flow = busyFlow(index, bucket);
    return { ...flow, id: `@-${flow.id}`, from: { ...flow.from, name: `@-${flow.from.name}` } };
  });
  return JSON.stringify({ event: 'flows', data: { flows } });
}

declare global {
  interface Window {
    /** Events that the page was given. */
    benchPoured: number;
  }
}

/** Runs in every document before anything of the page: its stream of flows is ours. */
function pourFlows({
  event,
  perEvent,
  perSecond,
  bucket,
}: {
  event: string;
  perEvent: number;
  perSecond: number;
  bucket: number;
}): void {
  window.benchPoured = 0;
  const ours = window.fetch;
  const encoder = new TextEncoder();
  const chunkBytes = 64 * 1024;
  window.fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    const url = new URL(input instanceof Request ? input.url : String(input), location.href);
    if (!url.pathname.endsWith('/flows') || headers.get('accept') !== 'text/event-stream') return ours(input, init);
    let id = Number(headers.get('last-event-id'));
    let timer = 0;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const began = performance.now();
        let sent = 0;
        const pour = () => {
          const due = Math.floor(((performance.now() - began) / 1000) * (perSecond / perEvent));
          while (sent < due) {
            sent++;
            const start = bucket + Math.floor((sent * perEvent) / perSecond / 15) * 15;
            const text = event
              .replaceAll('@', sent.toString(36))
              .replaceAll(`"start":${bucket},"end":${bucket + 15}`, `"start":${start},"end":${start + 15}`);
            const bytes = encoder.encode(`event: flows\nid: ${++id}\ndata: ${text}\n\n`);
            for (let from = 0; from < bytes.length; from += chunkBytes)
              controller.enqueue(bytes.subarray(from, from + chunkBytes));
            window.benchPoured++;
          }
        };
        timer = window.setInterval(pour, 10);
        init?.signal?.addEventListener('abort', () => {
          clearInterval(timer);
          controller.error(init.signal?.reason);
        });
      },
      cancel: () => clearInterval(timer),
    });
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
  };
}
