/** Up to this many nodes, each tests with all others. */
export const allPairsUpTo = 32;

/** A smaller area gets no pairs of its own, because its fault is one of a node or of a single path. */
export const fewestInArea = 4;

/**
 * The distances, in the order of the nodes, between nodes that test with each other: of n nodes, node i tests with i ± each of these (mod n). Above
 * 32 nodes they are powers of two: each node then has some 2·log2(n) partners, so that all are connected, and a node that nobody hears can be
 * distinguished from a broken path.
 */
export function strides(nodes: number): number[] {
  const half = Math.floor(nodes / 2);
  if (nodes <= allPairsUpTo) return Array.from({ length: half }, (_, index) => index + 1);
  return Array.from({ length: Math.floor(Math.log2(half)) + 1 }, (_, power) => 2 ** power);
}

/** The indexes of the nodes with which the node at this index tests. */
export function peersOf(index: number, nodes: number): number[] {
  const others = strides(nodes).flatMap((stride) => [(index + stride) % nodes, (index - stride + nodes) % nodes]);
  return [...new Set(others)].filter((other) => other !== index);
}
