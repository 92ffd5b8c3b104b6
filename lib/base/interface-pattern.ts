/** A pattern of interface names from the cluster. Regular expressions of Go and JavaScript agree on the syntax that such patterns use. */
export type InterfacePattern =
  | { kind: 'usable'; matches: (name: string) => boolean }
  | { kind: 'broken'; because: string }
  | { kind: 'too-involved' };

/** Most repetitions in a pattern: so many are matched fast on names of at most 15 letters (IFNAMSIZ). A hostile pattern has more, or nests them. */
const repetitionLimit = 10;
const lengthLimit = 300;
const nested = /[*+}]\)[*+{]/;

/**
 * Reads a pattern from the cluster. `broken`: no regular expression; `too-involved`: longer than 300 characters, or with repetitions that could match
 * slowly.
 */
export function interfacePattern(value: unknown): InterfacePattern {
  if (typeof value !== 'string') return { kind: 'broken', because: 'that is not text' };
  const repetitions = value.match(/[*+{]/g)?.length ?? 0;
  if (value.length > lengthLimit || repetitions > repetitionLimit || nested.test(value))
    return { kind: 'too-involved' };
  try {
    const pattern = new RegExp(value);
    return { kind: 'usable', matches: (name) => pattern.test(name) };
  } catch {
    return { kind: 'broken', because: 'that is not a regular expression' };
  }
}
