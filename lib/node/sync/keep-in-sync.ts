import { setImmediate as nextTurn } from 'node:timers/promises';
import { backOffMs } from '#lib/base/async/back-off.ts';
import type { Clock } from '#lib/kube/index.ts';
import type { DataPlaneMaps } from '../bpf/index.ts';
import type { Backend } from '../services/entries.ts';
import type { Present } from '../services/present.ts';
import type { ServiceTable } from '../services/service-table.ts';
import type { Bell } from './bell.ts';
import { letGo } from './let-go.ts';
import { carryOut, runAt } from './map-writes.ts';

/** Writes without a break: some 5 ms at 2.5 µs each, if the kernel takes them one by one. Health checks and the API are handled in between. */
const writesATurn = 2_000;
const retry = { firstMs: 250, mostMs: 30_000, least: 0.5 };

export type SyncReport = {
  readonly writes: number;
  readonly ms: number;
  /** Whether a port of a Service has lost a backend. */
  readonly backendsWent: boolean;
};

export type Sync = {
  readonly table: ServiceTable;
  readonly present: Present;
  readonly maps: DataPlaneMaps;
  readonly clock: Clock;
  /** Called before each plan is written: it attaches programs to new pods, so that no Service leads to a pod without them. */
  readonly before?: () => void;
};

/** Carries out one plan completely. @throws BpfError if the kernel refuses a write; earlier writes stay, and the next plan continues from there */
export async function syncOnce(
  { table, present, maps, clock, before }: Sync,
  signal: AbortSignal,
): Promise<SyncReport> {
  const began = clock.monotonic();
  before?.();
  const { writes, stayWith, done } = table.plan();
  const replaced: { readonly id: number; readonly backend: Backend }[] = [];
  let inTurn = 0;
  for (let at = 0, run = runAt(writes, at, writesATurn); run !== null; run = runAt(writes, at, writesATurn - inTurn)) {
    signal.throwIfAborted();
    const taken = carryOut(maps, run);
    for (const [index, write] of run.entries()) {
      if (index === taken) break;
      const backend = present.apply(write);
      if (write.map === 'backends' && backend) replaced.push({ id: write.id, backend });
    }
    at += taken;
    inTurn += taken;
    if (inTurn < writesATurn) continue;
    await nextTurn();
    inTurn = 0;
  }
  const letGone = stayWith ? await letGo(maps, stayWith, signal) : 0;
  done();
  const backendsWent = replaced.some(({ id, backend }) => !present.hasBackend(id, backend));
  return { writes: writes.length + letGone, ms: clock.monotonic() - began, backendsWent };
}

/**
 * Writes changes: at once if nothing was written in the last `minSyncMs`, otherwise after that time, so that a burst of events becomes one plan.
 * Refused writes are tried again with growing pauses. Ends when the signal aborts.
 */
export async function keepInSync(
  sync: Sync & {
    readonly bell: Bell;
    readonly minSyncMs: number;
    readonly synced: (report: SyncReport) => void;
    readonly failed: (error: unknown) => void;
    readonly random?: () => number;
  },
  signal: AbortSignal,
): Promise<void> {
  const { table, clock, bell, minSyncMs, random = Math.random } = sync;
  let failures = 0;
  while (!signal.aborted) {
    if (!table.hasChanged) await bell.heard(signal);
    if (signal.aborted) return;
    if (!table.hasChanged) continue;
    let pauseMs = minSyncMs;
    try {
      sync.synced(await syncOnce(sync, signal));
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      sync.failed(error);
      pauseMs = backOffMs(++failures, retry, random);
    }
    await clock.sleep(pauseMs, signal).catch(() => undefined);
  }
}
