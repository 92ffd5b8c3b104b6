/** One word of a POSIX shell, whatever it holds: names come from the cluster. */
export function quote(word: string): string {
  return /^[A-Za-z0-9_/:=.,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

export function line(...words: readonly string[]): string {
  return words.map(quote).join(' ');
}
