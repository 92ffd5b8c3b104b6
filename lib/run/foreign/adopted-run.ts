import { inOwnWords, type Plan } from '#lib/plan/index.ts';
import { withoutWayBack } from '../model/history.ts';
import type { Entry, Journal } from '../model/journal.ts';

/** A foreign run as this installation takes it back: what is sealed once it was confirmed. */
export type AdoptedRun = { plan: Plan; entries: Entry[] };

/**
 * How a foreign run is taken back: from its beginning, whatever its journal says to be taken back already. An entry that says so falsely would skip
 * a step that the next one relies on, and to take a step back twice changes nothing. Pure.
 */
export function adoptedForUndo(found: Plan, journal: Journal): AdoptedRun {
  return {
    plan: inOwnWords(found),
    entries: withoutWayBack(journal),
  };
}
