/**
 * How a process says that it is still at work on a cluster, in milliseconds: who holds something renews it, and is gone once it was silent for so long by
 * the own clock of whoever watches.
 */
export const holdTimes = { durationMs: 15_000, renewEveryMs: 5_000 } as const;
