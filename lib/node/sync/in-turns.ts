import { setImmediate as nextTurn } from 'node:timers/promises';

/** Some 5 ms of a map's entries; health checks, the API and Ctrl-C are answered in between. */
const looksATurn = 200;

/** To be awaited after each of many looks, counted from 1. Rejects with the signal's reason once it aborts. */
export async function inTurns(looks: number, signal: AbortSignal): Promise<void> {
  if (looks % looksATurn === 0) await nextTurn();
  signal.throwIfAborted();
}
