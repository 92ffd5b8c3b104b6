import type { NodeOrder } from './node-rows.ts';

export function NodeTableHead({ order, onOrder }: { order: NodeOrder; onOrder: (order: NodeOrder) => void }) {
  return (
    <thead className="sticky top-0 z-10 bg-sheet max-sm:block">
      <tr aria-rowindex={1} className="max-sm:flex max-sm:justify-between">
        <Sorted by="name" order={order} onOrder={onOrder} className="w-[30%] max-sm:w-auto">
          Node
        </Sorted>
        <Sorted by="state" order={order} onOrder={onOrder} className="w-36 max-sm:w-auto">
          Data plane
        </Sorted>
        <th scope="col" className="w-32 px-4 py-2 text-left font-medium text-ink-3 max-sm:sr-only">
          Node says
        </th>
        <th scope="col" className="max-sm:sr-only px-4 py-2 text-left font-medium text-ink-3">
          What was seen
        </th>
      </tr>
    </thead>
  );
}

function Sorted({
  by,
  order,
  onOrder,
  className,
  children,
}: {
  by: NodeOrder['by'];
  order: NodeOrder;
  onOrder: (order: NodeOrder) => void;
  className: string;
  children: string;
}) {
  const isBy = order.by === by;
  const next = isBy && order.direction === 'ascending' ? 'descending' : 'ascending';
  return (
    <th
      scope="col"
      aria-sort={isBy ? order.direction : 'none'}
      className={`px-4 py-1 text-left font-medium text-ink-3 ${className}`}
    >
      <button
        type="button"
        className="-mx-1 inline-flex min-h-7 items-center gap-1 rounded px-1 hover:text-ink"
        onClick={() => onOrder({ by, direction: next })}
      >
        {children}
        <svg width="8" height="10" viewBox="0 0 8 10" aria-hidden="true" fill="currentColor">
          {(!isBy || order.direction === 'ascending') && <path d="M4 0l3 4H1z" opacity={isBy ? 1 : 0.4} />}
          {(!isBy || order.direction === 'descending') && <path d="M4 10L1 6h6z" opacity={isBy ? 1 : 0.4} />}
        </svg>
      </button>
    </th>
  );
}
