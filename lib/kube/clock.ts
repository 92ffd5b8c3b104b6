/** Time as a parameter, so that tests and instant sandboxes need not wait. */
export interface Clock {
  /** Milliseconds since the epoch: for timestamps that others read. */
  now(): number;
  /** Milliseconds that never go back, from any zero point: for deadlines and expiry. */
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

/** A point in time on both clocks. */
export type Moment = { readonly now: number; readonly monotonic: number };

export function momentOf(clock: Clock): Moment {
  return { now: clock.now(), monotonic: clock.monotonic() };
}

/**
 * Milliseconds since then, by the clock that says more: the monotonic one stands still while a machine sleeps (Linux `CLOCK_MONOTONIC`), and the other may be
 * set back. For what others may have changed since.
 */
export function msSince(clock: Clock, then: Moment): number {
  return Math.max(clock.monotonic() - then.monotonic, clock.now() - then.now);
}

type Sleepers = { wakes: Set<() => void>; onAbort: () => void };

const sleepersOf = new WeakMap<AbortSignal, Sleepers>();

/**
 * Calls `wake` when the signal aborts; returns a function that cancels this. All sleepers of a signal share one listener: an event target compares each new
 * listener with all others, which takes minutes for thousands. The listener goes with the last sleeper, as it keeps a signal of `AbortSignal.any` alive.
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
 * A clock that never waits: once the event loop has nothing else to do, it jumps to the next sleeper. For processes whose only I/O is in memory. Nobody
 * advances it by hand, so the order follows from the due times alone. `startMs`: since the epoch.
 */
export function instantClock(startMs: number = Date.UTC(2026, 0, 1)): Clock {
  let nowMs = startMs;
  let counter = 0;
  const sleepers: Sleeper[] = [];
  let scheduled = false;

  // Two turns of the event loop, so that promises that wait for one setImmediate settle before time moves.
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
