import type { RecordedSpan } from '../history-engine.ts';

/** SQL text with a `?` for each of its values, in order. Values are never part of the text. */
export type Part = { readonly text: string; readonly values: readonly (string | number)[] };

/** The parts of a key that have texts: its ends, its Service if it has one, and all its policies together. */
export type KeyPart = 'from' | 'to' | 'service' | 'policies';

/** Everything in which the engines' SQL differs. Queries (questions.ts) and conditions (condition.ts) have one text for both. */
export type Dialect = {
  /** Whether a column matches a pattern with `%` and `_`, which a backslash escapes. */
  like(column: string): string;
  /** Whether an RE2 expression matches anywhere in a column. */
  matches(column: string): string;
  /** The column with a text of a key's part, for `among`. */
  column(of: KeyPart, text: 'namespace' | 'name' | 'shown' | 'names'): string;
  /** The keys that have this part, and whose texts satisfy a condition. */
  among(of: KeyPart, condition: Part): Part;
  /** Rows of all tiers that overlap a range of seconds, each with its length as `step`. */
  rows(range: RecordedSpan): Part;
  /** The table of keys, each once. */
  readonly keys: Part;
  /** The keys of a list, for a join: an engine that holds the joined table in memory must not load all keys. */
  keysAmong(list: string): Part;
  /** Further columns that `flowOf` reads of a key `k`, and the joins that they need. */
  readonly rest: { readonly columns: string; readonly joins: string };
};
