import type { RecordedSpan } from '../history-engine.ts';

/** Text of SQL with a `?` for each of its values, in order: values never stand in the text. */
export type Part = { readonly text: string; readonly values: readonly (string | number)[] };

/** What of a key has texts: its ends, its Service, which not every one has, and all policies together. */
export type KeyPart = 'from' | 'to' | 'service' | 'policies';

/** All that the engines say in different words. What is asked (questions.ts) and what is wanted (condition.ts) is one text for both. */
export type Dialect = {
  /** Whether a column is like a pattern of `%` and `_`, which a backslash takes the meaning from. */
  like(column: string): string;
  /** Whether an expression of RE2 matches a part of a column. */
  matches(column: string): string;
  /** Where a text of a part of a key stands, for `among`. */
  column(of: KeyPart, text: 'namespace' | 'name' | 'shown' | 'names'): string;
  /** The keys of which a part is there, and as a condition on its texts says. */
  among(of: KeyPart, condition: Part): Part;
  /** Rows of all tiers that touch a range of seconds, each with how long it is. */
  rows(range: RecordedSpan): Part;
  /** The table of keys, each of which stands in it once. */
  readonly keys: Part;
  /** Those of a list of them, to join: an engine that holds what it joins in memory is not given all. */
  keysAmong(list: string): Part;
  /** What else `flowOf` reads of a key `k`, and what is to be joined for it. */
  readonly rest: { readonly columns: string; readonly joins: string };
};
