import type { Page } from 'playwright-core';

declare global {
  interface Window {
    benchFrames: { gaps: number[]; tasks: number[] };
  }
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

/** What was noted since it was forgotten, ms each. */
export async function framesSince(page: Page): Promise<{ frames: number[]; tasks: number[] }> {
  const { gaps, tasks } = await page.evaluate(() => window.benchFrames);
  return { frames: gaps, tasks };
}
