import { setImmediate as nextTurn } from 'node:timers/promises';

/** Reading as many entries of a map takes some 5 ms. Health checks, the API and Ctrl-C are handled in between. */
const looksATurn = 200;

/** Call it after each entry, with their number so far, counted from 1. Rejects with the signal's reason once it aborts. */
export async function inTurns(looks: number, signal: AbortSignal): Promise<void> {
  if (looks % looksATurn === 0) await nextTurn();
  signal.throwIfAborted();
}
