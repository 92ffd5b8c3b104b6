/** How many rows a letter goes on: `j` to the next, `k` to the one before; 0: another key, or one that is held with others, which is the browser's. Pure. */
export function stepByLetter(event: { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean }): -1 | 0 | 1 {
  if (event.ctrlKey || event.metaKey || event.altKey) return 0;
  return event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0;
}
