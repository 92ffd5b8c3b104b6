import { hasAll, wordsOf } from '#components/ui/filter/words-of.ts';
import { type Place, type PlaceGroup, placeGroups } from './place.ts';

export type FoundGroup = { readonly group: PlaceGroup; readonly places: readonly Place[]; readonly more: number };

/** Most places per group; typing finds the others. */
const most = 6;

/** Places that contain all words, by group: exact titles first, then titles that start with the text. Pure. */
export function foundPlaces(places: readonly Place[], typed: string): FoundGroup[] {
  const words = wordsOf(typed);
  const wanted = typed.trim().toLowerCase();
  const rank = ({ title }: Place) => ranks.findIndex((is) => is(title.toLowerCase(), wanted));
  const found = places.filter(({ group, title, note }) => hasAll(`${group} ${title} ${note}`, words));
  return placeGroups
    .map((group) => found.filter((place) => place.group === group).toSorted((a, b) => rank(a) - rank(b)))
    .flatMap((ofGroup) => (ofGroup[0] === undefined ? [] : [{ best: ofGroup[0], places: ofGroup }]))
    .toSorted((a, b) => Number(rank(a.best) > 0) - Number(rank(b.best) > 0))
    .map(({ best, places }) => ({
      group: best.group,
      places: places.slice(0, most),
      more: Math.max(0, places.length - most),
    }));
}

/** Matches of a title with the typed text, best first. */
const ranks: readonly ((title: string, wanted: string) => boolean)[] = [
  (title, wanted) => title === wanted,
  (title, wanted) => title.startsWith(wanted),
  () => true,
];
