/** `14 nodes`, `1 node`, `5,000 nodes`. */
export function nodeCount(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'node' : 'nodes'}`;
}

/** `w-1, w-2 and w-3`, or `w-1, w-2 and 12 more`. */
export function listed(names: readonly string[], most = 3): string {
  if (names.length === 1) return names[0] ?? '';
  if (names.length > most) return `${names.slice(0, most - 1).join(', ')} and ${names.length - most + 1} more`;
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** `12 s`, `4 m 10 s`, `1 h 2 m`; seconds. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return whole % 60 === 0 ? `${whole / 60} m` : `${Math.floor(whole / 60)} m ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} m`;
}

/** A phrase as a sentence's beginning. */
export function capital(phrase: string): string {
  return phrase.slice(0, 1).toUpperCase() + phrase.slice(1);
}

/** A phrase as a sentence: with its full stop, once. */
export function sentence(phrase: string): string {
  const text = capital(phrase.trim());
  return /[.?!…]$/.test(text) ? text : `${text}.`;
}
