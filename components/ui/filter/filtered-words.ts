import { counted } from '#lib/base/words.ts';

/** `many`: the plural of `of`, if it is irregular. */
export type FilteredCount = {
  readonly of: string;
  readonly many?: string;
  readonly all: number;
  readonly left: number;
};

/** `3 clusters, 97 sandboxes`, or with a filter `1 of 3 clusters, 2 of 97 sandboxes`. Pure. */
export function filteredWords(parts: readonly FilteredCount[]): string {
  const isFiltered = parts.some(({ all, left }) => left !== all);
  return parts
    .map(({ of, many, all, left }) => `${isFiltered ? `${left} of ` : ''}${counted(all, of, many)}`)
    .join(', ');
}
