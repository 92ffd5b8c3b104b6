/** The words of a filter, all of which must match. */
export function wordsOf(filter: string): readonly string[] {
  return filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Whether a text contains all words, ignoring case and backticks. */
export function hasAll(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase().replaceAll('`', '');
  return words.every((word) => lower.includes(word));
}
