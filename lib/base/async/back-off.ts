/**
 * How long to wait before the next try, in ms: doubles with each that failed (0: none before), up to a most. A part of it is random, so that what
 * failed together does not come again together; `least` is the share that is always waited, from 0 to 1.
 */
export function backOffMs(
  failed: number,
  { firstMs, mostMs, least = 0 }: { readonly firstMs: number; readonly mostMs: number; readonly least?: number },
  random: () => number,
): number {
  const most = Math.min(mostMs, firstMs * 2 ** Math.min(failed, 20));
  return Math.round(most * (least + random() * (1 - least)));
}
