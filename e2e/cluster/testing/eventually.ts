import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until the condition holds. An error fails at once; a time-out fails with the sentence. */
export async function eventually(
  what: string,
  isSo: () => Promise<boolean>,
  { withinMs = 180_000, everyMs = 100 }: { withinMs?: number; everyMs?: number } = {},
): Promise<void> {
  for (const deadline = Date.now() + withinMs; !(await isSo()); await sleep(everyMs)) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs / 1000} s: ${what}`);
  }
}
