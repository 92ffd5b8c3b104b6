import { displayWidth } from '../terminal/display-width.ts';
import { columns, rowsWidth, type Terminal } from '../terminal/terminal.ts';

/** Where the cells of a row are that become one text: both ends of a pair, and words about it. */
export type PairCells = { readonly from: number; readonly to: number; readonly words: readonly number[] };

/**
 * Rows about pairs as a table. Names of pods are long: on a terminal without room for a column each, the pair is the last text of its row, which wraps. In a
 * pipe a row stays one line.
 */
export function pairTable(
  rows: readonly (readonly string[])[],
  cells: PairCells,
  terminal: Pick<Terminal, 'isTerminal' | 'columns'>,
): string {
  const width = rowsWidth(terminal);
  return columns(hasRoom(rows, width) ? rows : rows.map((row) => withPairLast(row, cells)), width);
}

/** Formats the rows of an endless table, whose columns have these widths; a longer value shifts only its own row. */
export function pairRows(
  widths: readonly number[],
  cells: PairCells,
  terminal: Pick<Terminal, 'isTerminal' | 'columns'>,
): (row: readonly string[]) => string {
  const room = rowsWidth(terminal);
  const blanks = widths.map((width) => ' '.repeat(width));
  if (blanks.join('  ').length <= room) return (row) => withoutFirst(columns([blanks, row]));
  const short = [...withPairLast(blanks, cells).slice(0, -1), ''];
  return (row) => withoutFirst(columns([short, withPairLast(row, cells)], room));
}

const withoutFirst = (table: string) => table.slice(table.indexOf('\n') + 1);

/** A row with its pair as the last text: `from → to, decided by`. */
function withPairLast(row: readonly string[], { from, to, words }: PairCells): string[] {
  const pair = [`${row[from]} → ${row[to]}`, ...words.map((at) => row[at] ?? '').filter((word) => word !== '')];
  return [...row.filter((_, at) => at !== from && at !== to && !words.includes(at)), pair.join(', ')];
}

/** What a sentence in the last column needs, so that it is no tower of words. */
const roomOfSentence = 28;

function hasRoom(rows: readonly (readonly string[])[], width: number): boolean {
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(displayWidth));
  const before = columns(rows.map((row) => [...row.slice(0, -1), '|'])).split('\n');
  return widest(before) - 1 + Math.min(roomOfSentence, widest(rows.map((row) => row.at(-1) ?? ''))) <= width;
}
