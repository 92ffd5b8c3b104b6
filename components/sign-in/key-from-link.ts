/** The key from a fragment (`#key=…`), a whole link, or the key alone; null if there is none. */
export function keyFromLink(text: string): string | null {
  const key = /(?:#key=|^)([A-Za-z0-9_-]{20,200})\s*$/.exec(text.trim())?.[1];
  return key ?? null;
}

/** Whether a fragment is that of a sign-in link, even a broken one, or with its `=` encoded on the way: it must not stay in an address. */
export function holdsKey(hash: string): boolean {
  return /key(?:=|%3d)/i.test(hash);
}
