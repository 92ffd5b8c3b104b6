import { RE2JS } from 're2js';

/** A regular expression of Go, as Kubernetes and Felix read them (https://github.com/google/re2/wiki/Syntax). It is found anywhere in a text. */
export type GoPattern = { readonly test: (text: string) => boolean };

/** Reading takes time that grows with the length, and no schema or setting of use is as long. */
const longest = 10_000;

/**
 * Reads a pattern that anybody may have written. Matching takes time that grows with the text alone, where JavaScript's own expressions may take for ever and
 * nothing interrupts them. Null: no expression of Go, or longer than 10,000 characters.
 */
export function goPattern(text: string): GoPattern | null {
  if (text.length > longest) return null;
  try {
    return RE2JS.compile(text);
  } catch {
    return null;
  }
}
