/** What of a node's packets came out at another. */
export type Heard = { readonly from: string; readonly to: string; readonly arrives: 'none' | 'small' | 'full' };

/** What nodes may have in common, by name: a way between two of them is one. `of`: null where it is not known. */
export type Area = { readonly kind: 'zone' | 'subnet'; readonly of: (node: string) => string | null };

/**
 * Nodes with what is wrong there, as a phrase. A node that hears nobody, or that nobody hears, is named alone and not each of its pairs; so is the way between
 * two zones, or subnets, over which none of what is left passes, at each node that it was seen at. Of the rest each broken path is told where it ends.
 * With one other node only, nothing tells the two apart: the path it is.
 */
export function faultyNodes(
  pairs: readonly Heard[],
  isFine: (pair: Heard) => boolean,
  nothing: string,
  areas: readonly Area[] = [],
): Map<string, string> {
  const broken = new Set(pairs.filter((pair) => !isFine(pair)));
  const faults = new Map<string, string>();
  const add = (node: string, words: string) => {
    const before = faults.get(node);
    faults.set(node, before === undefined ? words : `${before}, and ${words}`);
  };
  const explained: Heard[] = [];
  const wholly = (side: 'from' | 'to', words: string) => {
    for (const [node, own] of grouped(pairs, side)) {
      if (own.length < 2 || !own.every((pair) => broken.has(pair))) continue;
      add(node, words);
      explained.push(...own);
    }
  };
  const settle = () => {
    for (const pair of explained.splice(0)) broken.delete(pair);
  };
  wholly('to', `${nothing} arrives there from any node`);
  settle();
  wholly('from', `${nothing} of it arrives at any node`);
  settle();
  for (const area of areas) {
    for (const { words, own } of brokenWays(pairs, { broken, isFine, nothing, area })) {
      for (const node of new Set(own.map(({ to }) => to))) add(node, words);
      explained.push(...own);
    }
    settle();
  }
  for (const [node, own] of grouped([...broken], 'to'))
    add(node, `${nothing} arrives there from ${named(own.map(({ from }) => from))}`);
  return faults;
}

type Ways = {
  /** What no node alone explains. */
  readonly broken: ReadonlySet<Heard>;
  readonly isFine: (pair: Heard) => boolean;
  readonly nothing: string;
  readonly area: Area;
};

/** From one zone, or subnet, into another: nothing passes, and it takes more than one node to explain it. Both ways at once are told as one. */
function brokenWays(pairs: readonly Heard[], { broken, isFine, nothing, area: { kind, of } }: Ways) {
  if (broken.size === 0) return [];
  const ways = new Map<string, { from: string; to: string; own: Heard[] }>();
  const open = new Set<string>();
  for (const pair of pairs) {
    const [from, to] = [of(pair.from), of(pair.to)];
    if (from === null || to === null || from === to) continue;
    const key = JSON.stringify([from, to]);
    if (isFine(pair)) open.add(key);
    if (!broken.has(pair)) continue;
    const way = ways.get(key);
    if (way === undefined) ways.set(key, { from, to, own: [pair] });
    else way.own.push(pair);
  }
  const closed = [...ways].flatMap(([key, way]) => (!open.has(key) && areApart(way.own) ? [way] : []));
  const keys = new Set(closed.map(({ from, to }) => JSON.stringify([from, to])));
  return closed.map(({ from, to, own }) => {
    const [one, other] = [from, to].sort();
    const words = keys.has(JSON.stringify([to, from]))
      ? `${nothing} passes between ${kind} ${one} and ${kind} ${other}`
      : `${nothing} arrives in ${kind} ${to} from ${kind} ${from}`;
    return { words, own };
  });
}

/** Two of them have no node in common: all start in one area and end in another, so that otherwise one end is that of all. */
function areApart(pairs: readonly Heard[]): boolean {
  return (['from', 'to'] as const).every((side) => new Set(pairs.map((pair) => pair[side])).size > 1);
}

function grouped(pairs: readonly Heard[], side: 'from' | 'to'): Map<string, Heard[]> {
  return Map.groupBy(pairs, (pair) => pair[side]);
}

/** Names in a sentence, four at most. */
export function named(nodes: readonly string[]): string {
  const shown = nodes.slice(0, 4);
  const more = nodes.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
