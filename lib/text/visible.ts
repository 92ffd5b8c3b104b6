import { allStrangeInLine, allStrangeInText, strangeInLine, strangeInText } from './strange-characters.ts';

/**
 * Text from strangers as it is shown, in one form everywhere: a character that nobody can see is written as `\u202e`, one beyond U+FFFF as
 * `\u{e0041}`. What was shown once is not changed by being shown again.
 */
export function visibleLine(text: string): string {
  return strangeInLine.test(text) ? text.replace(allStrangeInLine, escaped) : text;
}

/** Like `visibleLine`, where lines and tabs are part of the text: diffs, commands, documents. */
export function visible(text: string): string {
  return strangeInText.test(text) ? text.replace(allStrangeInText, escaped) : text;
}

/** Nothing in it would have to be shown as something else; line feeds and tabs may be. */
export function isPlain(text: string): boolean {
  return !strangeInText.test(text);
}

/** Whether somebody typed this name, or what is shown in its place: nobody can type what nobody can see. */
export function isNameAsShown(typed: string, name: string): boolean {
  return typed === name || typed === visibleLine(name);
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}
