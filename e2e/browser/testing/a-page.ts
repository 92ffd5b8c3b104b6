import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { AConsole } from './console-process.ts';
import { type APage, openPage, type PageOptions } from './open-page.ts';

export { type APage, type PageOptions, signIn } from './open-page.ts';

const results = join(import.meta.dirname, '../../../test-results');

/**
 * A page for the running test. When the test ends, any fault that was not allowed fails it. If it failed, a screenshot is stored in
 * `test-results/`.
 */
export async function aPage(console: AConsole, options: PageOptions = {}): Promise<APage> {
  const opened = await openPage(console, options);
  onTestFinished(async ({ task }) => {
    const faults = opened.faults.list();
    const failed = task.result?.state === 'fail' || faults.length > 0;
    if (failed) await keepPictures(opened.context, task.name);
    await opened.context.close();
    if (faults.length > 0) throw new Error(`The page had faults of its own:\n${faults.join('\n')}`);
  });
  return opened;
}

async function keepPictures(context: BrowserContext, test: string): Promise<void> {
  mkdirSync(results, { recursive: true });
  for (const [index, page] of context.pages().entries()) {
    const name = `${test.replaceAll(/[^\w]+/g, '-').slice(0, 80)}-${index}-${Date.now()}.png`;
    await page.screenshot({ path: join(results, name), fullPage: true }).catch(() => undefined);
  }
}
