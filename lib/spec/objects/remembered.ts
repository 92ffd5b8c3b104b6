/** More different texts than this are not the names of systems and releases, and are not worth keeping. */
const mostKept = 512;

/** The same function of a text, which is asked only once for each: five thousand nodes run a handful of systems. What it returns is shared, so it must not be changed. */
export function remembered<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined || known.has(text)) return found as T;
    const made = make(text);
    if (known.size < mostKept) known.set(text, made);
    return made;
  };
}
