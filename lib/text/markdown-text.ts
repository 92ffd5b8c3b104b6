import { visibleLine } from './visible.ts';

/**
 * Untrusted text inside a line or a table cell of Markdown: it cannot make markup, HTML, links or images, or end the cell. Addresses do not become
 * links either (https://github.github.com/gfm/#autolinks-extension-, read 2026-11-22). Our own escapes (`\u202e`) stay readable, because a backslash
 * before a letter stands for itself.
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

/** A name as code if it is a plain one; inside backticks nothing can be escaped. */
export function markdownCode(name: string): string {
  return /^[A-Za-z0-9._:/-]+$/.test(name) ? `\`${name}\`` : markdownText(name);
}
