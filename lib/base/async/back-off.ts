/**
 * The wait before the next try, in ms: `firstMs`, doubled for each failed try before (`failed`), at most `mostMs`. `least`, from 0 to 1, is the share that is
 * always waited; the rest is random, so that clients that failed together do not retry together. `random`: from 0 to 1.
 */
export function backOffMs(
  failed: number,
  { firstMs, mostMs, least = 0 }: { readonly firstMs: number; readonly mostMs: number; readonly least?: number },
  random: () => number,
): number {
  const most = Math.min(mostMs, firstMs * 2 ** Math.min(failed, 20));
  return Math.round(most * (least + random() * (1 - least)));
}
