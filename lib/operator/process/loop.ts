import { type Clock, isKubeError } from '#lib/kube/index.ts';

/** When to look again without being asked; null = only when something changes. */
export type Again = { inMs: number } | null;

export type Loop = {
  /** Something changed. Many calls before the next look are one. */
  trigger(): void;
  readonly ended: Promise<void>;
};

export type LoopOptions = {
  name: string;
  clock: Clock;
  signal: AbortSignal;
  random(): number;
  reconcile(): Promise<Again>;
  /** Gathers changes that come together, and bounds how often a loop can run. */
  settleMs: number;
  log(line: string, cause?: unknown): void;
};

const conflictMs = { first: 20, most: 1_000 };
const failureMs = { first: 1_000, most: 60_000 };
const spread = 0.5;

/** Half of the delay is certain, half is chance: many operators never come back together. */
function backOff(bounds: { first: number; most: number }, failures: number, random: () => number): number {
  const delay = Math.min(bounds.most, bounds.first * 2 ** Math.min(failures, 10));
  return delay * (1 - spread + spread * random());
}

/**
 * A level-triggered reconciler: it looks at the whole state each time it is triggered, one run at a time.
 * Conflicts are looked at again at once (somebody else wrote first), other errors with growing pauses.
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
        pauseMs = backOff(conflict ? conflictMs : failureMs, failures, options.random);
        failures += 1;
        if (!conflict)
          options.log(
            `${options.name}: ${error instanceof Error ? error.message : String(error)}; again in ${Math.round(pauseMs / 100) / 10} s`,
            error,
          );
        // A change does not shorten the pause after an error: whoever answers 500 is not helped by being asked more often.
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
