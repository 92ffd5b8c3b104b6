/**
 * A node's name as it fits on a car: without its domain, and from the end where it is still too long: clouds number their nodes at the end.
 * `longest` in characters.
 */
export function carLabel(name: string, longest: number): string {
  const short = /^[\d.]+$/.test(name) ? name : (name.split('.', 1)[0] ?? name);
  return short.length <= longest ? short : `…${short.slice(1 - longest)}`;
}

/** Width of a text of 11 px, in px: Inter at this weight is 0.64 em wide on average, digits and dashes of one width included. */
export function textWidth(text: string): number {
  return text.length * 7;
}
