import { type JournalPlaces, journalPlaces } from '#lib/spec/index.ts';
import type { Invocation } from './command.ts';

/** Where journals may lie: in the one namespace that was named, else in the usual ones. */
export function placesOf({ flags }: Invocation): JournalPlaces {
  const named = flags.text('journal-namespace');
  return named === undefined ? journalPlaces : [named];
}
