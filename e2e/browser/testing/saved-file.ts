import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { inTime } from './open-page.ts';

/** The name and the text of the file that a page saves when `act` is done. */
export async function savedFile(page: Page, act: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  const path = await inTime('the whole of a saved file', download.path());
  return { name: download.suggestedFilename(), text: await readFile(path, 'utf8') };
}
