import { visibleLine } from './visible.ts';

/**
 * Text from strangers inside a line or a cell of a table in Markdown: no markup, no HTML, no link, no image, no end of the cell. Addresses are not
 * made links either (https://github.github.com/gfm/#autolinks-extension-, read 2026-11-22). Escapes of ours (`\u202e`) stay readable: a backslash
 * before a letter is itself.
 */
export function markdownText(text: string): string {
  return visibleLine(text)
    .replace(/\\(?![A-Za-z0-9])/g, '\\\\')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '&#64;')
    .replace(/[`*[\]|~$]/g, '\\$&')
    .replace(/(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, '\\_')
    .replace(/:(?=\/\/)/g, '\\:')
    .replace(/\b(www)\./gi, '$1\\.')
    .replace(/^(\s*)([#+=-]|\d+(?=[.)]))/, (_, space: string, mark: string) =>
      /\d/.test(mark) ? `${space}${mark}\\` : `${space}\\${mark}`,
    );
}

/** A name in type of its own where it is one; nothing can be escaped inside of backticks. */
export function markdownCode(name: string): string {
  return /^[A-Za-z0-9._:/-]+$/.test(name) ? `\`${name}\`` : markdownText(name);
}
