import { setTimeout as sleep } from 'node:timers/promises';

/** Asks until it is so. What throws has failed at once; what is not so in time fails with its sentence. */
export async function eventually(
  what: string,
  isSo: () => Promise<boolean>,
  { withinMs = 180_000, everyMs = 100 }: { withinMs?: number; everyMs?: number } = {},
): Promise<void> {
  for (const deadline = Date.now() + withinMs; !(await isSo()); await sleep(everyMs)) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs / 1000} s: ${what}`);
  }
}
