import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { acceptQuestions, atStep, startForm } from '#e2e/browser/testing/journey.ts';
import { eventually } from '#e2e/cluster/testing/eventually.ts';
import type { Benchmark } from './benchmark.ts';
import { forgetFrames, framesSince, longestFrameMs, scrollThrough, watchFrames } from './frames.ts';
import { busyMs, countThread, interactions, layoutShift, watchPage } from './interactions.ts';
import { heapMiB, loadNow, measuredConsoleOf, percentile, residentMiB } from './measured-console.ts';

const patience = { withinMs: 900_000, everyMs: 500 };
/** How long the page is only looked at while nodes change. */
const watchedMs = 20_000;

/** The page of an upgrade of a big cluster while its nodes go from one release to the next, and what somebody does on it meanwhile. */
export const upgrade: Benchmark = {
  name: 'upgrade',
  title: 'The page of an upgrade of 5,000 nodes while they change their release: interactions, frames, heap',
  async run({ report, options }) {
    const many = Number(options.nodes ?? 5_000);
    const measured = await measuredConsoleOf(many, report, 'upgrade.ts');
    const { cluster, page, console, cdp } = measured;
    try {
      await page.addInitScript(watchPage);
      await countThread(cdp);
      page.setDefaultTimeout(patience.withinMs);
      const to = await startUpgrade(page, cluster.name);
      report(`the run has begun; ${loadNow()}`);
      const arrived = () => arrivedIn(page, to);
      await eventually('nodes to arrive', async () => (await arrived()) > 0, { ...patience, everyMs: 100 });
      const begun = { nodes: await arrived(), at: performance.now(), busy: await busyMs(cdp) };
      assertMoving(begun.nodes, many, 'measuring began');
      report(`nodes change to ${to}: ${begun.nodes} have arrived; ${loadNow()}`);
      await layoutShift(page);
      await watchFrames(page);
      const heap = { before: await heapMiB(cdp), after: 0 };
      const resident = residentMiB(console.pid());
      await forgetFrames(page);
      await sleep(watchedMs);
      const { frames, tasks } = await framesSince(page);
      const looked = { ms: performance.now() - begun.at, busy: (await busyMs(cdp)) - begun.busy };

      const { act, lines } = interactions(page, cdp);
      const search = page.getByRole('searchbox', { name: 'Find a node by its name' });
      await act('typing a name', () => search.pressSequentially('node-49', { delay: 60 }));
      await act('emptying it', () => search.fill('').then(() => search.press('Backspace')));
      const step = page.getByRole('region', { name: /Steps/ }).locator('summary').first();
      if ((await step.count()) > 0) await act('opening a step', () => step.click());
      await act('asking for the way back', () => page.getByRole('button', { name: 'Undo…' }).click());
      await act('closing it', () => page.keyboard.press('Escape'));
      const box = page.getByRole('region', { name: 'Nodes, those that need attention first' });
      const scrolling = Math.max(...(await scrollThrough(page, box)).frames);
      const during = await arrived();
      assertMoving(during, many, 'the last interaction ended');
      report(`${during} nodes run ${to} when the last interaction ends; ${loadNow()}`);
      const shift = await layoutShift(page);
      await eventually('every node to arrive', async () => (await arrived()) === many, patience);
      const tookS = (performance.now() - begun.at) / 1000;
      heap.after = await heapMiB(cdp);
      const mib = (value: number | null) => (value === null ? '?' : value.toFixed(0));
      return [
        `${many} nodes, ${loadNow()}; ${begun.nodes} had arrived when it began, ${during} at the last interaction; all after ${tookS.toFixed(0)} s`,
        `looked at for ${(looked.ms / 1000).toFixed(0)} s: longest frame ${Math.max(...frames).toFixed(0)} ms, p99 ${percentile(frames, 0.99).toFixed(0)} ms, median ${percentile(frames, 0.5).toFixed(0)} ms; longest task ${Math.max(0, ...tasks).toFixed(0)} ms; the page's thread computed for ${((100 * looked.busy) / looked.ms).toFixed(0)} % of it`,
        ...lines,
        `scrolling through the nodes: longest frame ${scrolling.toFixed(0)} ms (≤ ${longestFrameMs})`,
        `layout shift: ${shift.value.toFixed(4)} (≤ 0.02)${shift.value > 0.02 ? `, ${shift.what}` : ''}`,
        `page's heap after collection: ${mib(heap.before)} MiB as nodes begin, ${mib(heap.after)} when all have arrived; console's resident memory ${mib(resident)} and ${mib(residentMiB(console.pid()))} MiB`,
      ];
    } finally {
      await measured.close();
    }
  },
};

/** Figures of a page on which nothing moves any more would be no figures of this. */
function assertMoving(arrived: number, many: number, when: string): void {
  if (arrived >= many)
    throw new Error(`All ${many} nodes had arrived when ${when}: nothing was measured while they move.`);
}

/** From the list of clusters to the page of a run that has begun; gives the release that is gone to. */
async function startUpgrade(page: Page, name: string): Promise<string> {
  await page.goto('/');
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('button', { name: /^Upgrade Calico to / }).click();
  await atStep(page, 'ready');
  // Until so many nodes are read nothing is asked, and nothing would be answered.
  const onwards = { name: 'Review the plan' };
  await page.getByRole('button', onwards).or(page.getByRole('link', onwards)).waitFor();
  await acceptQuestions(page);
  await page.getByRole('link', onwards).click();
  await atStep(page, 'review');
  const form = startForm(page);
  await form.getByRole('textbox').fill(name);
  await form.getByRole('button').click();
  await page.waitForURL(/\/runs\/(?!draft-)[^/]+$/);
  const title = await page.getByRole('heading', { level: 1, name: /^Upgrade / }).innerText();
  return /→ (v[\d.]+\d)/.exec(title)?.[1] ?? '';
}

/** Nodes that run the release, as the page's panel counts them. */
async function arrivedIn(page: Page, to: string): Promise<number> {
  const text = await page.getByRole('region', { name: 'Releases' }).innerText();
  const [, count = '0'] =
    new RegExp(`^([\\d,]+) of [\\d,]+ nodes on ${to.replaceAll('.', '\\.')}$`, 'm').exec(text) ?? [];
  return Number(count.replaceAll(',', ''));
}
