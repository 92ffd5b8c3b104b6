/** Numbers and lists for English sentences. Without `Intl`, which takes longer to load a language than all checks of a big cluster take. */

/** A whole number with commas between groups of three digits: `4,997`. */
export function thousands(count: number | bigint): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 node`, `5,000 nodes`; `2 policies` with the plural given. */
export function counted(count: number | bigint, one: string, many: string = `${one}s`): string {
  return `${thousands(count)} ${agreeing(count, one, many)}`;
}

/** `has`/`have`, `is`/`are`: the word that agrees with a count. */
export function agreeing(count: number | bigint, one: string, many: string): string {
  return BigInt(count) === 1n ? one : many;
}

/** `a`, `a and b`, `a, b, c and 4,997 more`; empty for an empty list. */
export function inList(names: readonly string[], most: number = 3, word: 'and' | 'or' = 'and'): string {
  const shown = names.slice(0, most);
  const rest = names.length - shown.length;
  const last = rest > 0 ? `${thousands(rest)} more` : shown.pop();
  return shown.length === 0 ? (last ?? '') : `${shown.join(', ')} ${word} ${last}`;
}

/** The phrase with its first letter in upper case; empty for an empty one. */
export function capital(phrase: string): string {
  return phrase.charAt(0).toUpperCase() + phrase.slice(1);
}

/** A phrase as a sentence: with a capital first letter and exactly one full stop at the end. */
export function sentence(phrase: string): string {
  return withStop(capital(phrase.trim()));
}

/** The end of a sentence, such as a reason after a colon: with exactly one full stop. */
export function withStop(text: string): string {
  return text === '' || /[.?!…]["”)]?$/.test(text) ? text : `${text}.`;
}

/** A sentence as part of another one: without its full stop. */
export function withoutStop(text: string): string {
  // From the end: an expression would search again from each full stop of a text of others.
  let end = text.length;
  while (end > 0 && /[.\s]/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** `12 s`, `4 m 10 s`, `1 h 2 m`, from seconds. */
export function duration(seconds: number): string {
  const rounded = Math.max(0, Math.round(seconds));
  if (rounded < 60) return `${rounded} s`;
  const [large, small] = rounded < 3_600 ? ['m', 's'] : ['h', 'm'];
  const unit = rounded < 3_600 ? 60 : 3_600;
  const rest = Math.floor((rounded % unit) / (unit / 60));
  return `${Math.floor(rounded / unit)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}
