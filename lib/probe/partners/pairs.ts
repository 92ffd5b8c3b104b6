/** Up to so many nodes each tests with every other. */
export const allPairsUpTo = 32;

/** What fewer nodes have in common is a node or a single path: it gets no pairs of its own. */
export const fewestInArea = 4;

/**
 * How far apart, in the order of the nodes, those are that test with each other: with n nodes node i tests with i ± each of these (mod n). Beyond 32
 * nodes powers of two: each node has some 2·log2(n) others, so that all are connected and one that nobody hears is told from a broken path.
 */
export function strides(nodes: number): number[] {
  const half = Math.floor(nodes / 2);
  if (nodes <= allPairsUpTo) return Array.from({ length: half }, (_, index) => index + 1);
  return Array.from({ length: Math.floor(Math.log2(half)) + 1 }, (_, power) => 2 ** power);
}

/** The places of those that the node at this place tests with. */
export function peersOf(place: number, nodes: number): number[] {
  const others = strides(nodes).flatMap((stride) => [(place + stride) % nodes, (place - stride + nodes) % nodes]);
  return [...new Set(others)].filter((other) => other !== place);
}
