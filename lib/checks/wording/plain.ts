import { visibleLine } from '#lib/text/index.ts';

/**
 * Text from a cluster is hostile: it may move the cursor, hide a line or change the reading direction. The framework passes every text of a check
 * through here once.
 */

const whitespaceControl = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;

const sentenceLimitChars = 2_000;

/** One line: line breaks and tabs become a blank, invisible characters become escapes, and a text that is too long is cut and ends in `…`. */
export function plainLine(text: string, limitChars: number = sentenceLimitChars): string {
  const line = visibleLine(text.replace(whitespaceControl, ' '));
  return line.length > limitChars ? `${line.slice(0, limitChars).toWellFormed()}…` : line;
}

/** Like `plainLine` for each line, for commands: their line feeds stay. */
export function plainLines(text: string, limitChars: number = 20_000): string {
  return text
    .split('\n')
    .map((line) => plainLine(line, limitChars))
    .join('\n');
}

/** A value of evidence, which is JSON of any shape: below six levels it becomes `…`, and lists and records are cut after 100 entries. */
export function plainValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return plainLine(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= 6) return '…';
  if (Array.isArray(value)) return value.slice(0, 100).map((one) => plainValue(one, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 100)
      .map(([key, one]) => [plainLine(key), plainValue(one, depth + 1)]),
  );
}
