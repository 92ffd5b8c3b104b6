import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { closeBrowser } from '#e2e/browser/testing/browser.ts';
import { type AConsole, startConsole } from '#e2e/browser/testing/console-process.ts';
import { openPage } from '#e2e/browser/testing/open-page.ts';
import { makeReady } from '../../scripts/start/make-ready.mjs';
import { type EmulatedCluster, startEmulatedCluster } from './emulated/process.ts';

/** A console on the build of these sources, a page of it in Chromium, and the protocol to ask both for what they cost. */
export type MeasuredConsole = {
  readonly console: AConsole;
  readonly build: string;
  readonly page: Page;
  readonly cdp: CDPSession;
  close(): Promise<void>;
};

/** SIGNALBOX_BUILD names a build that is used as it is. */
async function buildToMeasure(): Promise<string> {
  return process.env.SIGNALBOX_BUILD ? resolve(process.env.SIGNALBOX_BUILD) : makeReady();
}

export async function measuredConsole(kubeconfig?: string): Promise<MeasuredConsole> {
  const build = await buildToMeasure();
  const console = await startConsole({ build, files: 'as-here', ...(kubeconfig === undefined ? {} : { kubeconfig }) });
  try {
    const { page, context } = await openPage(console, { motion: 'no-preference' });
    const cdp = await context.newCDPSession(page);
    return {
      console,
      build,
      page,
      cdp,
      close: async () => {
        await closeBrowser();
        await console.close();
      },
    };
  } catch (error) {
    await closeBrowser();
    await console.close();
    throw error;
  }
}

/** The same on an emulated cluster of so many nodes, which ends with it. `program` as for `startEmulatedCluster`. */
export async function measuredConsoleOf(
  ...of: Parameters<typeof startEmulatedCluster>
): Promise<MeasuredConsole & { readonly cluster: EmulatedCluster }> {
  const cluster = await startEmulatedCluster(...of);
  try {
    const measured = await measuredConsole(cluster.kubeconfig);
    const close = () => measured.close().finally(() => cluster.stop());
    return { ...measured, cluster, close };
  } catch (error) {
    cluster.stop();
    throw error;
  }
}

/** JS heap of the page after a full collection, MiB. */
export async function heapMiB(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  return usedSize / 2 ** 20;
}

/** Memory of a process that the kernel has in RAM now, MiB; null where there is no /proc. */
export function residentMiB(pid: number): number | null {
  try {
    const found = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return found ? Number(found[1]) / 1024 : null;
  } catch {
    return null;
  }
}

/** The value below which a share of all lies, by nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The load of the machine, printed beside each figure, which means little without it. */
export function loadNow(): string {
  return `load average ${loadavg()[0]?.toFixed(1)}`;
}
