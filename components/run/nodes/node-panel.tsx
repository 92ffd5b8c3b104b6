'use client';

import { memo } from 'react';
import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { thousands } from '#lib/base/words.ts';
import type { RunNode } from '#lib/console/wire.ts';
import { NodeGrid } from './node-grid.tsx';
import { NodeList } from './node-list.tsx';
import { type Direction, nodeMark, nodeMarks, nodesByRelease } from './node-words.ts';

/** With more nodes than this, states are counted and single nodes are searched. */
const gridLimit = 60;

/** Each node of the cluster: its state as icon and word. The page is rendered every second, for its times; nodes only when one has changed. */
export const NodePanel = memo(function NodePanel({
  nodes,
  direction,
}: {
  nodes: readonly RunNode[];
  direction: Direction;
}) {
  if (nodes.length === 0) return null;
  return (
    <Panel
      title="Nodes"
      className="max-sm:[&>header>div]:basis-full"
      aside={<NodeCounts nodes={nodes} direction={direction} />}
    >
      {nodes.length <= gridLimit ? (
        <NodeGrid nodes={nodes} direction={direction} />
      ) : (
        <NodeList nodes={nodes} direction={direction} />
      )}
    </Panel>
  );
});

/** On a telephone there is room for a second line, so that new states do not move the nodes below. */
const countsLook = 'flex flex-wrap content-start gap-x-3 text-sm max-sm:min-h-9';

/** How many nodes are in each state, or run which release. Empty states are left out. */
function NodeCounts({ nodes, direction }: { nodes: readonly RunNode[]; direction: Direction }) {
  const releases = nodesByRelease(nodes);
  if (releases.length > 0)
    return (
      <span key={releases.map(({ word, count }) => `${count} ${word}`).join()} className={countsLook}>
        {releases.map(({ word, state, count }) => (
          <StateMark key={`${word} ${state}`} state={state}>
            {thousands(count)} {word}
          </StateMark>
        ))}
      </span>
    );
  const counts = Map.groupBy(nodes, (node) => nodeMark(node, direction));
  return (
    <span key={[...counts].map(([{ word }, { length }]) => `${length} ${word}`).join()} className={countsLook}>
      {nodeMarks.map((mark) => {
        const count = counts.get(mark)?.length ?? 0;
        if (count === 0) return null;
        return (
          <StateMark key={mark.word} state={mark.state}>
            {thousands(count)} {mark.word}
          </StateMark>
        );
      })}
    </span>
  );
}
