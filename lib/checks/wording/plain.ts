import { visibleLine } from '#lib/text/index.ts';

/**
 * Text from a cluster is data: whoever wrote it may want to move the cursor, hide a line or turn the reading direction. Everything that a
 * check says goes through here once, in the framework.
 */

const whitespaceControl = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;

const sentenceLimitChars = 2_000;

/** One line: white space of any kind becomes a blank, what cannot be seen is shown as an escape, what is too long is cut and says so. */
export function plainLine(text: string, limitChars: number = sentenceLimitChars): string {
  const line = visibleLine(text.replace(whitespaceControl, ' '));
  return line.length > limitChars ? `${line.slice(0, limitChars).toWellFormed()}…` : line;
}

/** Like `plainLine`, for commands: their own line ends stay. */
export function plainLines(text: string, limitChars: number = 20_000): string {
  return text
    .split('\n')
    .map((line) => plainLine(line, limitChars))
    .join('\n');
}

/** Evidence values are JSON of any shape; nothing deeper than a few levels is worth showing. */
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
