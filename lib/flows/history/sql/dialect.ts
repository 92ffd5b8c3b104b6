import type { RecordedSpan } from '../history-engine.ts';

/** Text of SQL with a `?` for each of its values, in order: values never stand in the text. */
export type Part = { readonly text: string; readonly values: readonly (string | number)[] };

/** All that the engines say in different words. What is asked (questions.ts) and what is wanted (condition.ts) is one text for both. */
export type Dialect = {
  /** Whether a column is like a pattern of `%` and `_`, which a backslash takes the meaning from. */
  like(column: string): string;
  /** Whether an expression of RE2 matches a part of a column. */
  matches(column: string): string;
  /** In front of what is asked once and used again. */
  readonly once: string;
  /** Rows of all tiers that touch a range of seconds, each with how long it is. */
  rows(range: RecordedSpan): Part;
  /** The table of keys, each of which stands in it once. */
  readonly keys: Part;
};
