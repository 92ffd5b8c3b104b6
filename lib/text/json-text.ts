import { allStrangeInText } from './strange-characters.ts';

/**
 * JSON that a terminal, a page and a diff can show as it is: what `JSON.stringify` leaves raw (DEL, C1, direction, invisible characters) stands as
 * JSON's own escapes, so that whoever parses it has the same data. Text in quotes has no line feed of its own there, so those are the layout's.
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
