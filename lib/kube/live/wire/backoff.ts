/** Full jitter, so that many clients of one restarted API server do not come back in step. First retry fast. */
export function backoffMs(
  attempt: number,
  random: () => number,
  { firstMs, baseMs, maxMs }: { firstMs: number; baseMs: number; maxMs: number },
): number {
  if (attempt <= 1) return Math.round(random() * firstMs);
  return Math.round(random() * Math.min(maxMs, baseMs * 2 ** Math.min(attempt - 2, 20)));
}
