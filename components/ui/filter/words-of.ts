/** Words of a filter; each of them must be found. */
export function wordsOf(filter: string): readonly string[] {
  return filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Case and the marks of code make no difference. */
export function hasAll(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase().replaceAll('`', '');
  return words.every((word) => lower.includes(word));
}
