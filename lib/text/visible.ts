import { allStrangeInLine, allStrangeInText, strangeInLine, strangeInText } from './strange-characters.ts';

/**
 * Untrusted text in the one form in which it is shown: an invisible character becomes `\u202e`, one beyond U+FFFF `\u{e0041}`. Showing text again
 * does not change it.
 */
export function visibleLine(text: string): string {
  return strangeInLine.test(text) ? text.replace(allStrangeInLine, escaped) : text;
}

/** Like `visibleLine`, for texts whose lines and tabs matter: diffs, commands, documents. */
export function visible(text: string): string {
  return strangeInText.test(text) ? text.replace(allStrangeInText, escaped) : text;
}

/** Whether the text can be shown unchanged; line feeds and tabs are allowed. */
export function isPlain(text: string): boolean {
  return !strangeInText.test(text);
}

/** Whether `typed` is this name or its shown form: invisible characters cannot be typed. */
export function isNameAsShown(typed: string, name: string): boolean {
  return typed === name || typed === visibleLine(name);
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}
