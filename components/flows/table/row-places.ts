/** A row of the table: a flow by its place among all, or what an opened one has below it. */
export type RowAt = { readonly is: 'flow' | 'body'; readonly place: number };

/** What stands at an index of the table's rows; the flow at `opened` (below 0: none) has its body as the row after it. */
export function rowAt(index: number, opened: number): RowAt {
  if (opened < 0 || index <= opened) return { is: 'flow', place: index };
  return index === opened + 1 ? { is: 'body', place: opened } : { is: 'flow', place: index - 1 };
}

/** Where the flow of a place stands among the table's rows. */
export function indexOfFlow(place: number, opened: number): number {
  return opened >= 0 && place > opened ? place + 1 : place;
}

/** Indexes to draw, in order: those in sight, and those that stay wherever the table is scrolled, of which some may not be there. */
export function drawnRows(inSight: readonly number[], staying: readonly number[], count: number): number[] {
  return [...new Set([...inSight, ...staying.filter((index) => index >= 0 && index < count)])].sort((a, b) => a - b);
}

/** Drawn rows, each with the room above it for those that are not (`start` and `end`: px), and the room below the last. */
export function withSpaces<Row extends { readonly start: number; readonly end: number }>(
  rows: readonly Row[],
  height: number,
): { rows: { row: Row; above: number }[]; below: number } {
  return {
    rows: rows.map((row, at) => ({ row, above: row.start - (rows[at - 1]?.end ?? 0) })),
    below: rows.length === 0 ? 0 : height - (rows.at(-1)?.end ?? 0),
  };
}
