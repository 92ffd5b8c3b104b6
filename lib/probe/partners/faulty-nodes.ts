/** What of a node's packets came out at another. */
export type Heard = { readonly from: string; readonly to: string; readonly arrives: 'none' | 'small' | 'full' };

/**
 * Nodes with what is wrong there, as a phrase. A node that hears nobody, or that nobody hears, is named alone and not each of its pairs; of the rest
 * each broken path is told where it ends. With one other node only, nothing tells the two apart: the path it is.
 */
export function faultyNodes(
  pairs: readonly Heard[],
  isFine: (pair: Heard) => boolean,
  nothing: string,
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
    for (const pair of explained.splice(0)) broken.delete(pair);
  };
  wholly('to', `${nothing} arrives there from any node`);
  wholly('from', `${nothing} of it arrives at any node`);
  for (const [node, own] of grouped([...broken], 'to'))
    add(node, `${nothing} arrives there from ${named(own.map(({ from }) => from))}`);
  return faults;
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
