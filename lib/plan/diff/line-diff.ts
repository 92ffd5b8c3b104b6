import { diffArrays } from 'diff';

export type LineChange = { kind: 'same' | 'removed' | 'added'; text: string };

/**
 * Beyond this number of edits, everything between the equal ends counts as replaced: the search takes quadratic time, and nobody reads so many edits
 * one by one.
 */
const editsLimit = 500;

/** The shortest edit from one list of lines to another. */
export function lineDiff(before: readonly string[], after: readonly string[]): LineChange[] {
  const shared = Math.min(before.length, after.length);
  let start = 0;
  while (start < shared && before[start] === after[start]) start++;
  let end = 0;
  while (end < shared - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const old = before.slice(start, before.length - end);
  const made = after.slice(start, after.length - end);
  const parts = diffArrays(old, made, { maxEditLength: editsLimit }) ?? [
    { value: old, removed: true, added: false },
    { value: made, removed: false, added: true },
  ];
  return [
    ...as('same', before.slice(0, start)),
    ...parts.flatMap(({ value, removed, added }) => as(removed ? 'removed' : added ? 'added' : 'same', value)),
    ...as('same', before.slice(before.length - end)),
  ];
}

function as(kind: LineChange['kind'], lines: readonly string[]): LineChange[] {
  return lines.map((text) => ({ kind, text }));
}
