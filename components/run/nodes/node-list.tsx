'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import { useTakeOver } from '#components/ui/browser/use-take-over.ts';
import { StateIcon, stateText } from '#components/ui/state-mark.tsx';
import type { RunNode } from '#lib/console/wire.ts';
import { type Direction, type NodeMark, nodeMark, nodeMarks } from './node-words.ts';

const rowPixels = 33;

/** A list for thousands of nodes: those that need attention first, with a search. Only the rows in sight are in the page. */
export function NodeList({ nodes, direction }: { nodes: readonly RunNode[]; direction: Direction }) {
  const takeOver = useTakeOver();
  const [wanted, setWanted] = useState('');
  const box = useRef<HTMLDivElement>(null);
  // Sorted when the cluster changes, not with every key.
  const ordered = useMemo(() => inOrder(nodes, direction), [nodes, direction]);
  const shown = useMemo(() => {
    const part = wanted.trim();
    return part === '' ? ordered : ordered.filter(({ node: { name } }) => name.includes(part));
  }, [ordered, wanted]);
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowPixels,
    overscan: 8,
  });
  const inSight = rows.getVirtualItems();
  const before = inSight[0]?.start ?? 0;
  const after = rows.getTotalSize() - (inSight.at(-1)?.end ?? 0);
  return (
    <>
      <div className="border-b border-line px-4 py-2">
        <input
          type="search"
          aria-label="Find a node by its name"
          placeholder="Look for a node"
          className="min-h-8 w-full max-w-60 rounded-md border border-edge bg-sheet px-2.5 text-sm"
          ref={takeOver}
          autoComplete="off"
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
      </div>
      <section
        ref={box}
        className="h-80 overflow-y-auto"
        aria-label="Nodes, those that need attention first"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard (WCAG 2.2, 2.1.1).
        tabIndex={0}
      >
        <table className="w-full table-fixed border-collapse text-sm" aria-rowcount={shown.length}>
          <tbody>
            <Gap pixels={before} />
            {inSight.map(({ index }) => {
              const row = shown[index];
              if (!row) return null;
              const { node, mark } = row;
              return (
                <tr key={node.name} aria-rowindex={index + 1} className="h-[33px] border-b border-line">
                  <th scope="row" className="truncate px-4 text-left font-[560]">
                    {node.name}
                  </th>
                  <td className={`w-36 ${stateText[mark.state]}`}>
                    <span className="inline-flex items-center gap-1.5">
                      <StateIcon state={mark.state} />
                      {mark.word}
                    </span>
                  </td>
                  <td className="truncate pr-4 text-ink-3" title={node.detail}>
                    {node.detail}
                  </td>
                </tr>
              );
            })}
            <Gap pixels={after} />
          </tbody>
        </table>
      </section>
    </>
  );
}

/** Nodes that need attention first; else in the given order. */
function inOrder(nodes: readonly RunNode[], direction: Direction): { node: RunNode; mark: NodeMark }[] {
  const byMark = Map.groupBy(
    nodes.map((node) => ({ node, mark: nodeMark(node, direction) })),
    ({ mark }) => mark,
  );
  return nodeMarks.flatMap((mark) => byMark.get(mark) ?? []);
}

/** Takes the height of the rows out of sight. Set by script, because the page's policy refuses style attributes in HTML. */
function Gap({ pixels }: { pixels: number }) {
  if (pixels <= 0) return null;
  return (
    <tr className="invisible">
      <td
        ref={(cell) => {
          if (cell) cell.style.height = `${pixels}px`;
        }}
      />
    </tr>
  );
}
