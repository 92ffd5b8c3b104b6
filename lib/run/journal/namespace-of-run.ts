import type { Kube } from '#lib/kube/index.ts';
import type { JournalPlaces } from '#lib/spec/index.ts';
import { journalRef } from './journal-store.ts';

/**
 * The namespace that a run lies in. The place of new runs comes first: a journal of the same name that somebody puts where earlier versions kept
 * theirs changes nothing. Where there is none at all, that place.
 */
export async function placeOfRun(kube: Kube, places: JournalPlaces, run: string): Promise<string> {
  if (places.length === 1) return places[0];
  for (const place of places) if (await kube.get(journalRef(run, place))) return place;
  return places[0];
}
