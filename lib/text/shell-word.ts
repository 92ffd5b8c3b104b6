import { allStrangeInLine, strangeInLine } from './strange-characters.ts';
import { visibleLine } from './visible.ts';

/**
 * One word of a POSIX shell, whatever it holds: names come from the cluster, and commands are copied and run. Strange characters stand as octal
 * escapes of `printf`, which every POSIX shell has (`$'…'` is none), so that a script shows all that it holds and means the same bytes. Line feeds at
 * the very end stand in quotes: a command substitution would drop them. No word of a shell can hold NUL; it is written as it is shown.
 */
export function shellWord(word: string): string {
  if (/^[A-Za-z0-9_/:=.,@%+-]+$/.test(word)) return word;
  if (!strangeInLine.test(word)) return singleQuoted(word);
  const text = word.toWellFormed().replaceAll('\0', visibleLine);
  const end = text.length - text.replace(/\n+$/, '').length;
  const body = text.slice(0, text.length - end).replace(/^-|[\\%']/g, (one) => printfEscapes[one] ?? one);
  const substituted = body === '' ? '' : `"$(printf '${body.replace(allStrangeInLine, octal)}')"`;
  return `${substituted}${end > 0 ? singleQuoted('\n'.repeat(end)) : ''}`;
}

/** Words as a line of a script. */
export function shellLine(...words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

/** A comment of a script is one line, and ends where ours ends. */
export function shellComment(text: string): string {
  return `# ${visibleLine(text)}`;
}

/** A format that begins with a hyphen would be an option. */
const printfEscapes: Readonly<Record<string, string>> = { '\\': '\\\\', '%': '%%', "'": '\\047', '-': '\\055' };

function octal(character: string): string {
  return [...new TextEncoder().encode(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
