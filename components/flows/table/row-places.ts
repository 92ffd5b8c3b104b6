/** A row of the table: a flow by its index, or the body of an opened flow. */
export type RowAt = { readonly is: 'flow' | 'body'; readonly place: number };

/** The row at an index; the flow at `opened` (below 0: none) is followed by its body. */
export function rowAt(index: number, opened: number): RowAt {
  if (opened < 0 || index <= opened) return { is: 'flow', place: index };
  return index === opened + 1 ? { is: 'body', place: opened } : { is: 'flow', place: index - 1 };
}

/** The row index of a flow. */
export function indexOfFlow(place: number, opened: number): number {
  return opened >= 0 && place > opened ? place + 1 : place;
}

/** Sorted indexes of rows to render: visible ones, and those that must stay rendered while scrolling, if they exist. */
export function drawnRows(inSight: readonly number[], staying: readonly number[], count: number): number[] {
  return [...new Set([...inSight, ...staying.filter((index) => index >= 0 && index < count)])].sort((a, b) => a - b);
}

/** Rendered rows, each with the space above it for skipped rows (`start` and `end` in px), and the space below the last. */
export function withSpaces<Row extends { readonly start: number; readonly end: number }>(
  rows: readonly Row[],
  height: number,
): { rows: { row: Row; above: number }[]; below: number } {
  return {
    rows: rows.map((row, at) => ({ row, above: row.start - (rows[at - 1]?.end ?? 0) })),
    below: rows.length === 0 ? 0 : height - (rows.at(-1)?.end ?? 0),
  };
}
