'use client';

import { Panel } from '#components/ui/panel.tsx';
import type { RunNode } from '#lib/console/wire.ts';
import { NodeCounts } from './node-counts.tsx';
import { NodeGrid } from './node-grid.tsx';
import { NodeList } from './node-list.tsx';
import type { Direction } from './node-words.ts';

/** Above this a reader counts states first and looks a node up. */
const gridLimit = 60;

/** Each node of the cluster on its way: its state as icon and word. */
export function NodePanel({ nodes, direction }: { nodes: readonly RunNode[]; direction: Direction }) {
  if (nodes.length === 0) return null;
  return (
    <Panel title="Nodes" aside={<NodeCounts nodes={nodes} direction={direction} />}>
      {nodes.length <= gridLimit ? (
        <NodeGrid nodes={nodes} direction={direction} />
      ) : (
        <NodeList nodes={nodes} direction={direction} />
      )}
    </Panel>
  );
}
