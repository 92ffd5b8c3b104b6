/** Most cached texts. Systems and releases have fewer names. */
const mostKept = 512;

/** The same function with cached results, because five thousand nodes run a handful of systems. Results are shared and must not be changed. */
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
