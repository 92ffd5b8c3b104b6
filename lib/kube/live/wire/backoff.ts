import { backOffMs } from '#lib/base/async/back-off.ts';

/** Full jitter, so that many clients of one restarted API server do not come back in step. First retry fast. */
export function backoffMs(
  attempt: number,
  random: () => number,
  { firstMs, baseMs, maxMs }: { firstMs: number; baseMs: number; maxMs: number },
): number {
  if (attempt <= 1) return Math.round(random() * firstMs);
  return backOffMs(attempt - 2, { firstMs: baseMs, mostMs: maxMs }, random);
}
