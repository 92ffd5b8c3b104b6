import { allStrangeInLine, strangeInLine } from './strange-characters.ts';
import { visibleLine } from './visible.ts';

/**
 * One word of a POSIX shell, whatever it contains: names come from the cluster, and commands are copied and run. Special characters become octal
 * escapes of `printf`, which every POSIX shell has (unlike `$'…'`), so that a script shows everything that it contains and means the same bytes. Line
 * feeds at the very end are quoted, because a command substitution drops them. No shell word can contain NUL, which becomes its visible form.
 */
export function shellWord(word: string): string {
  if (/^[A-Za-z0-9_/:=.,@%+-]+$/.test(word)) return word;
  return strangeInLine.test(word) ? printed(word) : singleQuoted(word);
}

/** The same without any backtick, which would end the command in a sentence that has it in backticks. */
export function shellWordInSentence(word: string): string {
  return word.includes('`') ? printed(word) : shellWord(word);
}

/** A word that `printf` writes. */
function printed(word: string): string {
  const text = word.toWellFormed().replaceAll('\0', visibleLine);
  const end = text.length - text.replace(/\n+$/, '').length;
  const body = text.slice(0, text.length - end).replace(/^-|[\\%'`]/g, (one) => printfEscapes[one] ?? one);
  const substituted = body === '' ? '' : `"$(printf '${body.replace(allStrangeInLine, octal)}')"`;
  return `${substituted}${end > 0 ? singleQuoted('\n'.repeat(end)) : ''}`;
}

/** Words as a line of a script. */
export function shellLine(...words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

/** A comment of a script in one line, which the text cannot end. */
export function shellComment(text: string): string {
  return `# ${visibleLine(text)}`;
}

/** A format that begins with a hyphen would be taken for an option. */
const printfEscapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '%': '%%',
  "'": '\\047',
  '-': '\\055',
  '`': '\\140',
};

function octal(character: string): string {
  return [...new TextEncoder().encode(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
