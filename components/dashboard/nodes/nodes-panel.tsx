'use client';

import { useSearchParams } from 'next/navigation';
import { memo, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { Empty } from '#components/ui/empty.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { counted, thousands } from '#lib/base/words.ts';
import type { NodeLine } from '#lib/console/wire.ts';
import type { CalicoHere } from '../calico-here.ts';
import { NodeFilters } from './node-filters.tsx';
import { type NodeFilter, type NodeOrder, nodeRows } from './node-rows.ts';
import { NodeTable } from './node-table.tsx';

/** All nodes with their states. Typing has priority over rendering the list, so that 5,000 nodes stay smooth. */
export const NodesPanel = memo(function NodesPanel({
  nodes,
  calico,
}: {
  nodes: readonly NodeLine[];
  calico: CalicoHere;
}) {
  const [order, setOrder] = useState<NodeOrder>({ by: 'name', direction: 'ascending' });
  // Links to a node name it in the URL.
  const initial = useSearchParams().get('node') ?? '';
  const [filter, setFilter] = useState<NodeFilter>({ name: initial, plane: 'all' });
  useEffect(() => setFilter({ name: initial, plane: 'all' }), [initial]);
  const calm = useDeferredValue(filter);
  const rows = useMemo(() => nodeRows(nodes, order, calm), [nodes, order, calm]);
  if (nodes.length === 0) return null;
  const isFiltered = rows.length !== nodes.length;
  return (
    <Panel
      title="Nodes"
      aside={
        <span role="status">
          {isFiltered ? `${thousands(rows.length)} of ${counted(nodes.length, 'node')}` : counted(nodes.length, 'node')}
        </span>
      }
    >
      <NodeFilters nodes={nodes} calico={calico} filter={filter} onChange={setFilter} />
      {rows.length === 0 ? (
        <Empty title="No matching node">Change the filter; the cluster has {counted(nodes.length, 'node')}.</Empty>
      ) : (
        <NodeTable rows={rows} calico={calico} order={order} onOrder={setOrder} />
      )}
    </Panel>
  );
});
