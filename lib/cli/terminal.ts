/** Where a command writes: data to stdout, everything else to stderr (cli.md › Output). */
export type Terminal = {
  out(text: string): void;
  err(text: string): void;
  /** stdout is a terminal. */
  isTerminal: boolean;
  /** stdin and stderr are terminals: questions can be asked. */
  canAsk: boolean;
  columns: number;
  paint: Paint;
  verbosity: 'quiet' | 'normal' | 'verbose';
  /** Null when the question was left with Ctrl-C. */
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

/** Text from a cluster or a file is data: control and bidirectional characters never reach the terminal. */
export function printable(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Breaks at spaces; continuation lines are indented. Words longer than a line stay whole: addresses and commands must be copyable. */
export function wrap(text: string, columns: number, indent = ''): string {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && indent.length + line.length + 1 + word.length > columns) {
        lines.push(indent + line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    lines.push(indent + line);
  }
  return lines.join('\n');
}

/** Columns of equal width, two spaces apart; the last one is not padded. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, visibleLength(cell));
    });
  return rows
    .map((row) =>
      row
        .map((cell, index) =>
          index === row.length - 1 ? cell : cell + ' '.repeat((widths[index] ?? 0) - visibleLength(cell)),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function visibleLength(text: string): number {
  return text.replace(/\u001b\[\d+m/g, '').length;
}

/** `1 warning`, `2 warnings`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
