/**
 * Times of a lock on a cluster, in ms: its holder renews it every `renewEveryMs`, and counts as gone after `durationMs` without a renewal, by the watching
 * process's own clock.
 */
export const holdTimes = { durationMs: 15_000, renewEveryMs: 5_000 } as const;
