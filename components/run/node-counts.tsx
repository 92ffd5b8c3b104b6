import { StateMark } from '#components/ui/state-mark.tsx';
import { thousands } from '#lib/base/words.ts';
import type { RunNode } from '#lib/console/wire.ts';
import { type Direction, nodeMark, nodeMarks } from './node-words.ts';

/** How many nodes are in each state; states without a node are left out. */
export function NodeCounts({ nodes, direction }: { nodes: readonly RunNode[]; direction: Direction }) {
  const counts = Map.groupBy(nodes, (node) => nodeMark(node, direction));
  return (
    <span className="flex flex-wrap gap-x-3 text-sm">
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
