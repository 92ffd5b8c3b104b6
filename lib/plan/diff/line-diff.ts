import { diffArrays } from 'diff';

export type LineChange = { kind: 'same' | 'removed' | 'added'; text: string };

/** Beyond so many edits nobody reads them one by one, and the search takes their square: all between the equal ends is replaced. */
const editsLimit = 500;

/** The shortest way from one list of lines to another. */
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
