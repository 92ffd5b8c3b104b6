import { counted } from '#lib/base/words.ts';

/** A field that another manager owns and that an apply with force takes over. */
export type TakenOver = { readonly object: string; readonly manager: string; readonly field: string };

/** One line for each manager and field, below the diff of what is written: `! .spec.versions of 27 objects is taken over from helm` (pain H3). */
export function takenOverLines(taken: readonly TakenOver[]): string {
  const groups = Map.groupBy(taken, ({ manager, field }) => `${field} ${manager}`);
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group;
      const objects = [...new Set(group.map(({ object }) => object))];
      const of = objects.length === 1 ? objects[0] : counted(objects.length, 'object');
      return first ? [`! ${first.field} of ${of} is taken over from ${first.manager}\n`] : [];
    })
    .join('');
}
