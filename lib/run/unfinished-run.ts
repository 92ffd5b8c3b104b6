import { names } from '#lib/spec/index.ts';
import { hasEnded } from './journal.ts';
import type { RunSummary } from './runs.ts';

/**
 * The run that has not ended, of runs newest first. One that lies where new runs lie comes first: a journal that somebody puts where earlier
 * versions kept theirs does not hide it.
 */
export function unfinishedRun(runs: readonly RunSummary[]): RunSummary | undefined {
  const unfinished = runs.filter(({ state }) => !hasEnded(state));
  return unfinished.find(({ namespace }) => namespace === names.journalNamespace) ?? unfinished[0];
}
