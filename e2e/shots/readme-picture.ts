import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { startConsole } from '#e2e/browser/testing/console-process.ts';
import { mouse } from '#e2e/browser/testing/hands.ts';
import { answerWizard, openCluster, startRun } from '#e2e/browser/testing/journey.ts';
import { openPage } from '#e2e/browser/testing/open-page.ts';

const mostBytes = 300 * 1024;

/** A run in the middle of the switch, as it is seen when one looks up: 1440 × 900, light. Resolves with what it made. */
export async function takeReadmePicture(build: string, path: string): Promise<string> {
  const console = await startConsole({ build });
  try {
    const { page, context } = await openPage(console, { width: 1440, height: 900 });
    await openCluster(page, mouse, 'standard');
    await answerWizard(page, mouse);
    await startRun(page, mouse, 'standard');
    await page.getByText('eBPF proven').first().waitFor({ timeout: 60_000 });
    mkdirSync(dirname(path), { recursive: true });
    await page.screenshot({ path, animations: 'disabled' });
    await context.close();
  } finally {
    await console.close();
  }
  const { size } = statSync(path);
  if (size > mostBytes) throw new Error(`${path} has ${size} bytes; ${mostBytes} is the most.`);
  return `${path}, ${Math.round(size / 1024)} KiB`;
}
