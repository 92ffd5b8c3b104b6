import { StateIcon, stateText } from '#components/ui/state-mark.tsx';
import { duration } from '#lib/base/words.ts';
import type { RunNode } from '#lib/console/wire.ts';
import { type Direction, nodeMark } from './node-words.ts';

export function NodeGrid({ nodes, direction }: { nodes: readonly RunNode[]; direction: Direction }) {
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] gap-2 p-3">
      {nodes.map((node) => {
        const { state, word } = nodeMark(node, direction);
        const isBad = state === 'bad' || state === 'unknown';
        return (
          <li key={node.name} className="min-w-0 rounded-md border border-line px-2.5 py-2 text-sm" title={node.detail}>
            <span className="flex items-center gap-1.5">
              <StateIcon state={state} />
              <span className="truncate font-[560]">{node.name}</span>
            </span>
            <span className={`block text-xs ${stateText[state]}`}>
              {word}
              {node.tookSeconds === null || state !== 'ok' ? '' : ` in ${duration(node.tookSeconds)}`}
            </span>
            {isBad && <span className="block text-xs text-ink-2">{node.detail}</span>}
          </li>
        );
      })}
    </ul>
  );
}
