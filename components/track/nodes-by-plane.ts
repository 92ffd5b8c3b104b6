import type { NodeLine } from '#lib/console/wire.ts';

/** What the pictures need of a node. */
export type TrackNode = Pick<NodeLine, 'name' | 'plane'>;

/** The nodes of each track, in their order. */
export type NodesByPlane = Readonly<Record<NodeLine['plane'], readonly TrackNode[]>>;

/** One walk over all nodes: 5,000 of them come anew with each picture. */
export function nodesByPlane(nodes: readonly TrackNode[]): NodesByPlane {
  const by: Record<NodeLine['plane'], TrackNode[]> = {
    standard: [],
    bpf: [],
    moving: [],
    'fell-back': [],
    unknown: [],
    'not-counted': [],
  };
  for (const node of nodes) by[node.plane].push(node);
  return by;
}
