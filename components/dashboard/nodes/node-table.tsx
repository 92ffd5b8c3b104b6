'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { narrowWindow, useWindowIs } from '#components/ui/browser/use-window-is.ts';
import { RowSpace } from '#components/ui/rows/row-space.tsx';
import type { NodeLine } from '#lib/console/wire.ts';
import type { CalicoHere } from '../calico-here.ts';
import { NodeRow, rowHeight } from './node-row.tsx';
import type { NodeOrder } from './node-rows.ts';
import { NodeTableHead } from './node-table-head.tsx';

/** Most nodes in the page itself; more scroll in a box in which only visible rows are rendered. */
const mostInPage = 50;

/** The first rows are rendered by the server; the scrolling box needs script, because its offsets are styles, which the server must not write. */
export function NodeTable({
  rows,
  calico,
  order,
  onOrder,
}: {
  rows: readonly NodeLine[];
  calico: CalicoHere;
  order: NodeOrder;
  onOrder: (order: NodeOrder) => void;
}) {
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  const isNarrow = useWindowIs(narrowWindow);
  const box = useRef<HTMLElement>(null);
  const isLong = rows.length > mostInPage;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => (isNarrow ? rowHeight.narrow : rowHeight.wide),
    overscan: 12,
    enabled: isLong && isMounted,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height are what has to be measured anew
  useEffect(() => virtual.measure(), [virtual, isNarrow]);
  const items = virtual.getVirtualItems();
  const isVirtual = isLong && isMounted && items.length > 0;
  const shown = isVirtual
    ? items.map(({ index }) => ({ index, node: rows[index] }))
    : rows.slice(0, mostInPage).map((node, index) => ({ index, node }));
  const above = isVirtual ? (items[0]?.start ?? 0) : 0;
  const below = isLong ? (isVirtual ? virtual.getTotalSize() - (items.at(-1)?.end ?? 0) : 0) : 0;
  return (
    <section
      ref={box}
      aria-label="Nodes, scrolls"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard (WCAG 2.2, 2.1.1).
      tabIndex={0}
      className={`overflow-auto ${isLong ? 'h-[min(594px,70dvh)]' : ''}`}
    >
      <table
        className="w-full border-collapse text-sm sm:min-w-[640px] sm:table-fixed max-sm:block"
        aria-rowcount={rows.length + 1}
      >
        <NodeTableHead order={order} onOrder={onOrder} />
        <tbody className="max-sm:block">
          <RowSpace height={above} columns={4} />
          {shown.map(
            ({ index, node }) => node && <NodeRow key={node.name} node={node} calico={calico} index={index} />,
          )}
          <RowSpace height={below} columns={4} />
        </tbody>
      </table>
    </section>
  );
}
