import { visible } from '#lib/text/index.ts';
import { displayWidth, withoutColours } from './display-width.ts';

/** A command's output: data to stdout, everything else to stderr (cli.md › Output). */
export type Terminal = {
  out(text: string): void;
  err(text: string): void;
  /** stdout is a terminal. */
  isTerminal: boolean;
  /** stdin and stderr are terminals, so questions can be asked. */
  canAsk: boolean;
  columns: number;
  paint: Paint;
  verbosity: 'quiet' | 'normal' | 'verbose';
  /** The answer; null after Ctrl-C. */
  ask(question: string): Promise<string | null>;
};

export type Colour = 'red' | 'green' | 'amber' | 'violet' | 'blue' | 'dim' | 'bold';
export type Paint = (colour: Colour, text: string) => string;

const codes: Record<Colour, [number, number]> = {
  red: [31, 39],
  green: [32, 39],
  amber: [33, 39],
  violet: [35, 39],
  blue: [34, 39],
  dim: [2, 22],
  bold: [1, 22],
};

export const plain: Paint = (_, text) => text;
export const coloured: Paint = (colour, text) => `\u001b[${codes[colour][0]}m${text}\u001b[${codes[colour][1]}m`;

const sequences = Object.values(codes)
  .flat()
  .map((code) => `\u001b\\[${code}m`);
const ourSequence = new RegExp(`(${sequences.join('|')})`);

/**
 * Text that is safe on a terminal: strange characters are escaped, except for our own colours. A second line of defence, because each table escapes text from
 * the cluster itself.
 */
export function writable(text: string, paint: Paint): string {
  if (paint === plain) return visible(text);
  return text
    .split(ourSequence)
    .map((part, index) => (index % 2 === 1 ? part : visible(part)))
    .join('');
}

/**
 * Breaks a text at spaces. `indent` is for the first line, `rest` for the others. Long words and text in backticks stay whole, so that addresses and commands can
 * be copied. Colours take no room.
 */
export function wrap(text: string, columns: number, indent = '', rest = indent): string {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of wordsOf(paragraph)) {
      const before = lines.length === 0 ? indent : rest;
      if (line !== '' && displayWidth(before) + displayWidth(line) + 1 + displayWidth(word) > columns) {
        lines.push(before + line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    lines.push((lines.length === 0 ? indent : rest) + line);
  }
  return lines.join('\n');
}

function wordsOf(paragraph: string): string[] {
  const nonBreaking = '\u0000';
  const joined = paragraph.replaceAll(/`[^`]*`/g, (command) => command.replaceAll(' ', nonBreaking));
  return joined.split(' ').map((word) => word.replaceAll(nonBreaking, ' '));
}

/** Wraps the sentences of a text. Indented lines, which are commands or text of others, and lines of a diff stay unchanged. */
export function wrapText(text: string, columns: number): string {
  const lines = text.split('\n');
  return lines.map((line) => (isSentence.test(withoutColours(line)) ? wrap(line, columns, '', '  ') : line)).join('\n');
}

/** A sentence may begin with a flag. */
const isSentence = /^(?:[^ +-]|--[a-z])/;

/** A text for a stream: its sentences wrapped on a terminal, which would break them inside words; unchanged in a pipe. */
export function wrappedFor(text: string, { isTTY, columns }: { isTTY?: boolean; columns?: number }): string {
  // A terminal of which nobody has set the size has 0 columns.
  return isTTY === true ? wrapText(text, columns || 80) : text;
}

/**
 * A coloured title, with dimmed words beside it if they fit into the line, otherwise below it. `lead` precedes the title, under which further lines are aligned.
 */
export function headline(
  { paint, columns: width }: Pick<Terminal, 'paint' | 'columns'>,
  lead: string,
  title: string,
  beside: readonly { text: string; colour: Colour }[],
): string {
  const indent = ' '.repeat(displayWidth(lead));
  const words = beside.map(({ text, colour }) => paint(colour, text)).join('  ');
  const fits =
    displayWidth(lead) + displayWidth(title) + beside.reduce((sum, { text }) => sum + 2 + displayWidth(text), 0) <=
    width;
  if (fits) return `${lead}${paint('bold', title)}${words === '' ? '' : `  ${words}`}`;
  const lines = wrap(title, width, indent).slice(indent.length).split('\n');
  const [first = '', ...others] = lines;
  return [
    `${lead}${paint('bold', first)}`,
    ...others.map((line) => `${indent}${paint('bold', line.slice(indent.length))}`),
    ...(words === '' ? [] : [`${indent}${words}`]),
  ].join('\n');
}

/**
 * Aligned columns, two spaces apart; the last one is not padded. Chinese characters and emoji take two columns of a terminal. With a total `width`, text in the
 * last column is wrapped, or moved to lines of its own if it has too little room; a row whose other columns are wider is broken at a space.
 */
export function columns(rows: readonly (readonly string[])[], width = Number.POSITIVE_INFINITY): string {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, displayWidth(cell));
    });
  return rows
    .map((row) => {
      const before = row
        .slice(0, -1)
        .map((cell, index) => `${cell}${' '.repeat((widths[index] ?? 0) - displayWidth(cell))}  `);
      return beside(before.join(''), row.at(-1) ?? '', width).trimEnd();
    })
    .join('\n');
}

/** The width of a table of which each row is a record: unlimited off a terminal, so that a row stays one line there. */
export function rowsWidth({ isTerminal, columns }: Pick<Terminal, 'isTerminal' | 'columns'>): number {
  return isTerminal ? columns : Number.POSITIVE_INFINITY;
}

const leastRoom = 28;
const below = '      ';

function beside(before: string, last: string, width: number): string {
  const at = displayWidth(before);
  if (at + displayWidth(last) <= width) return before + last;
  const room = width - at;
  const fits = room >= leastRoom && last.split(' ').every((word) => displayWidth(word) <= room);
  if (fits) return before + wrap(last, width, ' '.repeat(at)).slice(at);
  const start = before.trimEnd();
  const lines = displayWidth(start) <= width ? start : wrap(start, width, '', below).replaceAll(/ +$/gm, '');
  return `${lines}\n${wrap(last, width, below)}`;
}
