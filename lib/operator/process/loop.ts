import { backOffMs } from '#lib/base/async/back-off.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { type Clock, isKubeError } from '#lib/kube/index.ts';

/** When to reconcile again without a change. Null: only after a change. */
export type NextReconcile = { inMs: number } | null;

export type Loop = {
  /** Reports a change. Several calls before the next reconcile count as one. */
  trigger(): void;
  readonly ended: Promise<void>;
};

export type LoopOptions = {
  name: string;
  clock: Clock;
  signal: AbortSignal;
  random(): number;
  reconcile(): Promise<NextReconcile>;
  /** Milliseconds before each reconcile. They gather changes that come together, and limit how often a loop runs. */
  settleMs: number;
  log(line: string, cause?: unknown): void;
};

/** Half of each pause is random, so that many operators do not come back at once. */
const afterConflict = { firstMs: 20, mostMs: 1_000, least: 0.5 };
const afterFailure = { firstMs: 1_000, mostMs: 60_000, least: 0.5 };

/**
 * A level-triggered reconciler: each run looks at the whole state, and runs do not overlap. After a conflict, which means that somebody else wrote
 * first, it runs again almost at once; after other errors with growing pauses.
 */
export function startLoop(options: LoopOptions): Loop {
  const { clock, signal } = options;
  let dirty = true;
  let wake: (() => void) | null = null;

  const wait = async (ms: number | null) => {
    if (dirty || signal.aborted) return;
    const napping = new AbortController();
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const slept = ms === null ? woken : clock.sleep(ms, napping.signal).catch(() => {});
    await Promise.race([slept, woken]);
    wake = null;
    napping.abort();
  };

  const onAbort = () => wake?.();
  signal.addEventListener('abort', onAbort, { once: true });

  const run = async () => {
    let failures = 0;
    while (!signal.aborted) {
      await clock.sleep(options.settleMs, signal).catch(() => {});
      if (signal.aborted) break;
      dirty = false;
      let pauseMs: number | null;
      try {
        const again = await options.reconcile();
        failures = 0;
        pauseMs = again?.inMs ?? null;
      } catch (error) {
        if (signal.aborted) break;
        const conflict = isKubeError(error, 'conflict', 'already-exists');
        pauseMs = backOffMs(failures, conflict ? afterConflict : afterFailure, options.random);
        failures += 1;
        if (!conflict)
          options.log(`${options.name}: ${messageOf(error)}; again in ${Math.round(pauseMs / 100) / 10} s`, error);
        // A change does not shorten the pause after an error: asking more often does not help a server that answers 500.
        await clock.sleep(pauseMs, signal).catch(() => {});
        continue;
      }
      await wait(pauseMs);
    }
    signal.removeEventListener('abort', onAbort);
  };

  const ended = run();
  return {
    ended,
    trigger: () => {
      dirty = true;
      wake?.();
    },
  };
}
