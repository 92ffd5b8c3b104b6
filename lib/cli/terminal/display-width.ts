import { eastAsianWidth } from 'get-east-asian-width';

/**
 * How many columns of a terminal a text takes: two for Chinese characters and emoji, none for colours and for accents that are characters of their own.
 * Joiners and variation selectors are not counted, because `visible` has escaped them. `Intl.Segmenter`, which would also join flags, takes 40 ms and
 * more to load.
 */
export function displayWidth(text: string): number {
  const shown = withoutColours(text);
  if (isAscii.test(shown)) return shown.length;
  let width = 0;
  for (const character of shown)
    if (!isDrawnOverTheLast.test(character)) width += eastAsianWidth(character.codePointAt(0) ?? 0);
  return width;
}

export function withoutColours(text: string): string {
  return text.replace(/\u001b\[\d+m/g, '');
}

const isAscii = /^[ -~]*$/;
const isDrawnOverTheLast = /^[\p{Nonspacing_Mark}\p{Enclosing_Mark}]$/u;
