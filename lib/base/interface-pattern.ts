/** A pattern of interface names from the cluster. Regular expressions of Go and JavaScript agree on the syntax that such patterns use. */
export type InterfacePattern =
  | { kind: 'usable'; matches: (name: string) => boolean }
  | { kind: 'broken'; because: string }
  | { kind: 'too-involved' };

/** IFNAMSIZ without its NUL. A longer name is of no interface, whoever reports it. */
const longestName = 15;
const lengthLimit = 300;
/** Most ways to match a name that may be tried: some milliseconds'. Felix' own pattern has some 5,000. */
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

/** Ways through a part of a pattern: how many (value) have so many repetitions on them (key). */
type Ways = ReadonlyMap<number, number>;
const oneWay: Ways = new Map([[0, 1]]);

/**
 * At least as many ways as there are to match the longest name: on each, its letters may be divided among the repetitions in this many ways. Alternatives
 * add up, parts that follow each other multiply.
 */
function waysOf(pattern: string): number {
  const open: { alternatives: Ways; last: Ways }[] = [{ alternatives: new Map(), last: oneWay }];
  const whole = ({ alternatives, last }: (typeof open)[number]) => sum(alternatives, last);
  // `(?:` and `(?i` repeat nothing.
  for (const [mark] of withoutLetters(pattern).matchAll(/[(|)*+{]|(?<!\()\?/g)) {
    const group = open.at(-1);
    const around = open.at(-2);
    if (group === undefined) break;
    if (mark === '(') open.push({ alternatives: new Map(), last: oneWay });
    else if (mark === '|') Object.assign(group, { alternatives: whole(group), last: oneWay });
    else if (mark !== ')') group.last = product(group.last, new Map([[1, 1]]));
    else if (around !== undefined) {
      around.last = product(around.last, whole(group));
      open.pop();
    }
  }
  // A group that is never closed is no expression, which is found out when it is read.
  const all = open.reduce<Ways>((before, group) => product(before, whole(group)), oneWay);
  return [...all].reduce((count, [repetitions, ways]) => count + ways * divisions(repetitions), 0);
}

/** Escaped characters, and then classes in brackets, as a letter each: what they hold is no group, and ends none. */
function withoutLetters(pattern: string): string {
  return pattern.replaceAll(/\\./gsu, 'a').replaceAll(/\[[^\]]*\]/g, 'a');
}

/** In how many ways the letters of the longest name may be divided among repetitions. */
function divisions(repetitions: number): number {
  let ways = 1;
  for (let one = 1; one <= repetitions; one++) ways = (ways * (longestName + one)) / one;
  return ways;
}

function sum(one: Ways, other: Ways): Ways {
  const both = new Map(one);
  for (const [repetitions, ways] of other) both.set(repetitions, (both.get(repetitions) ?? 0) + ways);
  return both;
}

function product(one: Ways, other: Ways): Ways {
  const both = new Map<number, number>();
  for (const [mine, ways] of one)
    for (const [theirs, times] of other) both.set(mine + theirs, (both.get(mine + theirs) ?? 0) + ways * times);
  return both;
}
