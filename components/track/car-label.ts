/**
 * A node's name shortened for a car: without its domain, and if still too long only its end, where clouds number nodes.
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
