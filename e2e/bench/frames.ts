import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';

declare global {
  interface Window {
    benchFrames: { gaps: number[]; tasks: number[] };
  }
}

/** What a frame may take while somebody scrolls: twice what an interaction may take. */
export const longestFrameMs = 100;

/** Scrolls a box: notches of a wheel, and then a throw of a touchpad. Needs `watchFrames`; returns what the page noted meanwhile. */
export async function scrollThrough(page: Page, box: Locator, { slow, fast } = { slow: 60, fast: 40 }) {
  await box.hover();
  await forgetFrames(page);
  for (let notch = 0; notch < slow + fast; notch++) {
    await page.mouse.wheel(0, notch < slow ? 120 : 600);
    await sleep(16);
  }
  await sleep(300);
  return framesSince(page);
}

/** From now on the page notes how long each frame kept the next one waiting, and its long tasks (over 50 ms). */
export async function watchFrames(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.benchFrames = { gaps: [], tasks: [] };
    let last = performance.now();
    const frame = (now: number) => {
      window.benchFrames.gaps.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.benchFrames.tasks.push(duration);
    }).observe({ type: 'longtask' });
  });
}

export function forgetFrames(page: Page): Promise<void> {
  return page.evaluate(() => {
    window.benchFrames = { gaps: [], tasks: [] };
  });
}

/** Durations of frames and long tasks since they were last cleared, ms each. */
export async function framesSince(page: Page): Promise<{ frames: number[]; tasks: number[] }> {
  const { gaps, tasks } = await page.evaluate(() => window.benchFrames);
  return { frames: gaps, tasks };
}
