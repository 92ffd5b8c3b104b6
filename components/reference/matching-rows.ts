import { hasAll } from '#components/ui/filter/words-of.ts';
import type { GatesByRelease, ReferenceRecord, ReferenceRow, ReferenceTable } from '#lib/reference/index.ts';

/** The table with the rows in which every word is found, in whatever cell; sources and dates count. */
export function matchingRows(part: ReferenceTable, words: readonly string[]): ReferenceTable {
  if (words.length === 0) return part;
  return part.kind === 'table'
    ? { ...part, rows: part.rows.filter((row) => hasAll(textOfRow(row), words)) }
    : { ...part, records: part.records.filter((record) => hasAll(textOfRecord(record), words)) };
}

/** A release is found by its name, and by the gates that say something of it. */
export function matchingReleases({ gates, rows }: GatesByRelease, words: readonly string[]): GatesByRelease['rows'] {
  if (words.length === 0) return rows;
  return rows.filter(({ release, cells }) => {
    const gateTexts = gates.filter((_, at) => (cells[at]?.length ?? 0) > 0).map(({ id, action }) => `${id} ${action}`);
    return hasAll([release, ...gateTexts].join(' '), words);
  });
}

export function countOf(part: ReferenceTable): number {
  return part.kind === 'table' ? part.rows.length : part.records.length;
}

function textOfRow({ cells, source, read }: ReferenceRow): string {
  return [...cells.map(textOf), source, read].join(' ');
}

function textOfRecord({ title, facts, commands, source, read }: ReferenceRecord): string {
  const typed = commands === null || 'unknown' in commands.texts ? [] : commands.texts;
  return [title, ...facts.map(({ label, text }) => `${label ?? ''} ${textOf(text)}`), ...typed, source, read].join(' ');
}

function textOf(cell: string | { readonly unknown: string }): string {
  return typeof cell === 'string' ? cell : `unknown ${cell.unknown}`;
}
