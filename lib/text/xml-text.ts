import { visible, visibleLine } from './visible.ts';

/** Text inside an element of XML 1.0, which allows no control characters, not even escaped: they get their visible form. */
export function xmlText(text: string): string {
  return entities(visible(text));
}

/** Text inside a quoted attribute, in which a line feed would become a blank. */
export function xmlAttribute(text: string): string {
  return entities(visibleLine(text));
}

function entities(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;');
}
