import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** A sentence of another line, say: 40 px of a window of 900 are less than the layout shift that is allowed. */
const mostPx = 40;

/**
 * On a run's page in a window of one size: where the panel below its track stands now. The answer throws when it stands elsewhere later. Layout shift
 * itself depends on how much comes in one frame of a busy machine; this does not.
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
