import type { NodeLine } from '#lib/console/wire.ts';

/** The fields of a node that pictures need. */
export type TrackNode = Pick<NodeLine, 'name' | 'plane'>;

/** The nodes of each data plane, in their order. */
export type NodesByPlane = Readonly<Record<NodeLine['plane'], readonly TrackNode[]>>;

/** Groups nodes in one pass, because 5,000 nodes are grouped for each frame. */
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
