import { allStrangeInText } from './strange-characters.ts';

/**
 * JSON that a terminal, a page and a diff can show unchanged. Characters that `JSON.stringify` leaves raw (DEL, C1, direction marks, invisible ones)
 * become JSON escapes, so that the parsed data are the same. Strings contain no raw line feed, so any line feed is layout.
 */
export function jsonText(data: unknown, indent?: number): string {
  const text = JSON.stringify(data, null, indent) ?? 'null';
  return text.replace(allStrangeInText, escapedUnits);
}

function escapedUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => escapedUnit(character.charCodeAt(index))).join('');
}

function escapedUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
