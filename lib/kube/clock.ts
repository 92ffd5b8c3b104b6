/** Time as a parameter, so that tests and instant sandboxes can run it as fast as it will go. */
export interface Clock {
  /** Milliseconds since the epoch: for timestamps that others read. */
  now(): number;
  /** Milliseconds that only ever grow: for deadlines and expiry. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const forget = whenAborted(signal, () => {
        clearTimeout(timer);
        reject(signal?.reason);
      });
      const timer = setTimeout(() => {
        forget();
        resolve();
      }, ms);
    }),
};

type Sleepers = { wakes: Set<() => void>; onAbort: () => void };

const sleepersOf = new WeakMap<AbortSignal, Sleepers>();

/**
 * Calls `wake` when the signal aborts; gives what takes that back. All sleepers of a signal share one listener: an event target compares each new one with
 * all that it has, which takes thousands of sleepers minutes. It goes with the last sleeper: a signal of `AbortSignal.any` is not freed while it has one.
 */
function whenAborted(signal: AbortSignal | undefined, wake: () => void): () => void {
  if (!signal) return () => {};
  const sleepers = sleepersOf.get(signal) ?? firstSleeper(signal);
  sleepers.wakes.add(wake);
  return () => {
    if (!sleepers.wakes.delete(wake) || sleepers.wakes.size > 0) return;
    signal.removeEventListener('abort', sleepers.onAbort);
    sleepersOf.delete(signal);
  };
}

function firstSleeper(signal: AbortSignal): Sleepers {
  const wakes = new Set<() => void>();
  const onAbort = () => {
    sleepersOf.delete(signal);
    for (const wake of wakes) wake();
  };
  const sleepers = { wakes, onAbort };
  sleepersOf.set(signal, sleepers);
  signal.addEventListener('abort', onAbort, { once: true });
  return sleepers;
}

type Sleeper = { due: number; order: number; wake: () => void };

/**
 * A clock that never waits: when nothing else is left to do in this turn of the event loop, it jumps to the next sleeper.
 * For processes whose only I/O is in memory. `advance` by hand is not offered: order comes from the due times alone.
 */
export function instantClock(startMs: number = Date.UTC(2026, 0, 1)): Clock {
  let nowMs = startMs;
  let counter = 0;
  const sleepers: Sleeper[] = [];
  let scheduled = false;

  // Two turns, so that promise chains that cross one setImmediate of their own settle before time moves.
  const schedule = () => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() =>
      setImmediate(() => {
        scheduled = false;
        sleepers.sort((a, b) => a.due - b.due || a.order - b.order);
        const next = sleepers.shift();
        if (!next) return;
        nowMs = Math.max(nowMs, next.due);
        next.wake();
        if (sleepers.length > 0) schedule();
      }),
    );
  };

  return {
    now: () => nowMs,
    monotonic: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const forget = whenAborted(signal, () => {
          const index = sleepers.indexOf(sleeper);
          if (index >= 0) sleepers.splice(index, 1);
          reject(signal?.reason);
        });
        const sleeper: Sleeper = {
          due: nowMs + Math.max(0, ms),
          order: counter++,
          wake: () => {
            forget();
            resolve();
          },
        };
        sleepers.push(sleeper);
        schedule();
      }),
  };
}
