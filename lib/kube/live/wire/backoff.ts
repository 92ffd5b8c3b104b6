import { backOffMs } from '#lib/base/async/back-off.ts';

/** Full jitter, so that clients of a restarted API server do not all return at the same time. The first retry is fast. */
export function backoffMs(
  attempt: number,
  random: () => number,
  { firstMs, baseMs, maxMs }: { firstMs: number; baseMs: number; maxMs: number },
): number {
  if (attempt <= 1) return Math.round(random() * firstMs);
  return backOffMs(attempt - 2, { firstMs: baseMs, mostMs: maxMs }, random);
}
