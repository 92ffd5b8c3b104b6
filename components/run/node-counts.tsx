import { StateMark } from '#components/ui/state-mark.tsx';
import type { RunNode } from '#lib/console/wire.ts';
import { nodeStates, nodeWords } from './node-words.ts';

/** How many nodes are in each state; states without a node are left out. */
export function NodeCounts({ nodes }: { nodes: readonly RunNode[] }) {
  const counts = Map.groupBy(nodes, ({ state }) => state);
  return (
    <span className="flex flex-wrap gap-x-3 text-sm">
      {nodeStates.map((state) => {
        const count = counts.get(state)?.length ?? 0;
        if (count === 0) return null;
        return (
          <StateMark key={state} state={nodeWords[state].state}>
            {count.toLocaleString('en')} {nodeWords[state].word}
          </StateMark>
        );
      })}
    </span>
  );
}
