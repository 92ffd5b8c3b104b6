import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** About the height of a sentence with one more line. 40 px in a window of 900 px are below the allowed layout shift. */
const mostPx = 40;

/**
 * Notes where the panel below the track of a run's page is now. The returned function throws if the panel has moved since. The browser's measure of layout
 * shift depends on how much is painted in one frame, and so on how busy the machine is; this does not. The window must keep its size.
 */
export async function standsStill(page: Page): Promise<(when: string) => Promise<void>> {
  const nodes = page.getByRole('region', { name: 'Nodes' });
  const top = () => nodes.evaluate((element) => element.getBoundingClientRect().top + window.scrollY);
  const before = await top();
  return async (when) => {
    const by = Math.abs((await top()) - before);
    expect(by, `the panel below the track has moved since, and ${when}`).toBeLessThanOrEqual(mostPx);
  };
}
