import type { Known } from '#lib/spec/index.ts';
import { blocks, bullets, fenced, knownText, sourceLine, table } from './markdown.ts';

/**
 * A table of the product's knowledge as readers get it, on a page of the console as in docs/reference: made from `lib/spec`, and nothing of it is
 * written anywhere else. Cells are text with `names` in backticks; an unknown cell says how to find it out.
 */
export type ReferenceTable =
  | {
      readonly kind: 'table';
      readonly title: string;
      readonly intro: string;
      readonly columns: readonly string[];
      readonly rows: readonly ReferenceRow[];
    }
  | {
      readonly kind: 'records';
      readonly title: string;
      readonly intro: string;
      readonly records: readonly ReferenceRecord[];
    };

type Sourced = {
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

/** `id` is unique in its table. */
export type ReferenceRow = { readonly id: string; readonly cells: readonly Known<string>[] } & Sourced;

/** A row of too many words for columns. */
export type ReferenceRecord = {
  readonly id: string;
  readonly title: string;
  /** How it stands with whoever it concerns, for the eye: the words for it are in title and facts. */
  readonly state: 'ok' | 'warn' | 'bad' | 'idle';
  readonly facts: readonly ReferenceFact[];
  /** To be typed word for word, below these words. */
  readonly commands: { readonly when: string; readonly texts: Known<readonly string[]> } | null;
} & Sourced;

/** Without a label: a note of its own. */
type ReferenceFact = { readonly label: string | null; readonly text: Known<string> };

/** The body of a table in Markdown, without its own heading; `heading` is what stands before a record's. */
export function markdownOf(part: ReferenceTable, heading: '##' | '###' = '##'): string {
  return blocks(part.intro, part.kind === 'records' ? recordsOf(part, heading) : tableOf(part));
}

function tableOf({ columns, rows }: Extract<ReferenceTable, { kind: 'table' }>): string {
  return table(
    [...columns, 'Source', 'Read'],
    rows.map(({ cells, source, read }) => [...cells.map((cell) => knownText(cell, (text) => text)), source, read]),
  );
}

function recordsOf({ records }: Extract<ReferenceTable, { kind: 'records' }>, heading: string): string {
  return blocks(
    ...records.map((record) =>
      blocks(`${heading} ${record.title}`, bullets(record.facts.map(factOf)), commandsOf(record), sourceLine(record)),
    ),
  );
}

function factOf({ label, text }: ReferenceFact): string {
  const value = knownText(text, (words) => words);
  return label === null ? value : `${label}: ${value}`;
}

function commandsOf({ commands }: ReferenceRecord): string {
  if (commands === null) return '';
  const { when, texts } = commands;
  if ('unknown' in texts) return `${when}: ${knownText<readonly string[]>(texts, () => '')}`;
  return texts.length === 0 ? `${when}: nothing.` : blocks(`${when}:`, ...texts.map(fenced));
}
