import { hasAll, wordsOf } from '#components/ui/filter/words-of.ts';
import { type Place, type PlaceGroup, placeGroups } from './places.ts';

export type FoundGroup = { readonly group: PlaceGroup; readonly places: readonly Place[]; readonly more: number };

/** So many are shown of each group; typing brings the others. */
const most = 6;

/** Places that have all words, by group; those whose title begins with what was typed come first. Pure. */
export function foundPlaces(places: readonly Place[], typed: string): FoundGroup[] {
  const words = wordsOf(typed);
  const start = typed.trim().toLowerCase();
  const begins = ({ title }: Place) => Number(title.toLowerCase().startsWith(start));
  const found = places.filter(({ group, title, note }) => hasAll(`${group} ${title} ${note}`, words));
  return placeGroups
    .map((group) => found.filter((place) => place.group === group).toSorted((a, b) => begins(b) - begins(a)))
    .flatMap((ofGroup) =>
      ofGroup[0] === undefined
        ? []
        : [{ group: ofGroup[0].group, places: ofGroup.slice(0, most), more: Math.max(0, ofGroup.length - most) }],
    );
}
