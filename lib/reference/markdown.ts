import { isUnknown, type Known } from '#lib/spec/index.ts';

/** A table of cells that are Markdown already. Line breaks and bars would end a cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `| ${head.map(() => '---').join(' | ')} |`, ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', '<br>');
}

export function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

export function code(text: string): string {
  return `\`${text}\``;
}

export function fenced(text: string): string {
  return ['```', text, '```'].join('\n');
}

/** An unknown value as `*unknown*`, with how to find it out unless the page explains that above already. */
export function knownText<T>(value: Known<T>, show: (value: T) => string): string {
  if (!isUnknown(value)) return show(value);
  return value.unknown === '' ? '*unknown*' : `*unknown*: ${value.unknown}`;
}

export function blocks(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

export function sourceLine({ source, read }: { source: string; read: string }): string {
  return `Source: ${source}. Read ${read}.`;
}
