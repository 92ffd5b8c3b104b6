/** A pattern of interface names from the cluster. Regular expressions of Go and JavaScript agree on the syntax that such patterns use. */
export type InterfacePattern =
  | { kind: 'usable'; matches: (name: string) => boolean }
  | { kind: 'broken'; because: string }
  | { kind: 'too-involved' };

/** IFNAMSIZ without its NUL. A longer name is of no interface, whoever reports it. */
const longestName = 15;
const lengthLimit = 300;
/** Most ways to match a name that may be tried: a millisecond's. Felix' own pattern has some 5,000. */
const mostWays = 100_000;
/** A group that may be repeated has a number of ways that grows exponentially with the name. */
const repeatedGroup = /\)[*+{]/;

/**
 * Reads a pattern from the cluster. `broken`: no regular expression; `too-involved`: longer than 300 characters, or could match slowly. JavaScript tries
 * one way after the other, and nothing interrupts it: a pattern with too many ways would stop the whole process.
 */
export function interfacePattern(value: unknown): InterfacePattern {
  if (typeof value !== 'string') return { kind: 'broken', because: 'that is not text' };
  if (value.length > lengthLimit || repeatedGroup.test(value) || waysOf(value) > mostWays)
    return { kind: 'too-involved' };
  try {
    const pattern = new RegExp(value);
    return { kind: 'usable', matches: (name) => name.length <= longestName && pattern.test(name) };
  } catch {
    return { kind: 'broken', because: 'that is not a regular expression' };
  }
}

/**
 * At least as many ways as there are to match the longest name: to divide its letters among the repetitions, and to choose an alternative in each group.
 * Escaped characters, and those in brackets, count too.
 */
function waysOf(pattern: string): number {
  // `(?:` and `(?i` repeat nothing.
  const repetitions = pattern.match(/[*+{]|(?<!\()\?/g)?.length ?? 0;
  let ways = 1;
  for (let one = 1; one <= repetitions; one++) ways = (ways * (longestName + one)) / one;
  const alternatives = [1];
  for (const [mark] of pattern.matchAll(/[(|)]/g)) {
    if (mark === '(') alternatives.push(1);
    else if (mark === '|') alternatives.push((alternatives.pop() ?? 1) + 1);
    else if (alternatives.length > 1) ways *= alternatives.pop() ?? 1;
  }
  return alternatives.reduce((product, count) => product * count, ways);
}
