import { Fragment, useMemo } from 'react';
import { RowSpace } from '#components/ui/rows/row-space.tsx';
import { TableBox, tableAsBlocks } from '#components/ui/table-box.tsx';
import type { Flow } from '#lib/flows/in-browser.ts';
import type { WhyPair } from '../why/why-pair.ts';
import { FlowBody } from './flow-body.tsx';
import { flowColumns } from './flow-columns.tsx';
import { FlowRow } from './flow-row.tsx';
import { rowAt } from './row-places.ts';
import { useRowsInSight } from './use-rows-in-sight.ts';

/** Columns that fit beside the rail of a usual window. */
const mostAtEase = 8;
/** Rows that come with the page, which fill the box; from then on those in sight are drawn. */
const atFirst = 50;

/**
 * Newest first; one row at a time is open. A row is a place: what comes moves flows from place to place, and nothing on the page. On a telephone a
 * flow is three lines.
 */
export function FlowTable({
  flows,
  asked,
  columns: chosen,
  days,
  opened,
  onOpen,
  onQuery,
  onWhy,
  onSuggest,
}: {
  flows: readonly Flow[];
  /** What they were asked by, and their order: another begins at its top. */
  asked: string;
  /** Ids of columns. */
  columns: readonly string[];
  /** `any`: the time of a flow has its day, where that is not today. */
  days: 'today' | 'any';
  opened: string | null;
  /** The same function for good: rows are drawn anew with another. */
  onOpen: (id: string | null) => void;
  onQuery: (text: string) => void;
  onWhy: (pair: WhyPair) => void;
  /** Of a workload: `shop/checkout`. */
  onSuggest: (workload: string) => void;
}) {
  const columns = useMemo(() => flowColumns.filter(({ id }) => chosen.includes(id)), [chosen]);
  const cells = columns.length + 1;
  const openedAt = opened === null ? -1 : flows.findIndex(({ id }) => id === opened);
  const { box, rows, below, measure, onFocus } = useRowsInSight({
    count: flows.length,
    opened: openedAt,
    bodyKey: `body ${opened}`,
    asked,
  });
  const isAlive = rows.length > 0;
  const drawn = isAlive ? rows : flows.slice(0, atFirst).map((_, index) => ({ row: { key: index, index }, above: 0 }));
  return (
    <TableBox ref={box} label="Flows, scrolls" className="max-h-[80dvh] overflow-y-auto sm:scroll-pt-9">
      <table
        // Rows that only a script would draw are not there for who reads without one.
        aria-rowcount={1 + (isAlive ? flows.length + (openedAt < 0 ? 0 : 1) : drawn.length)}
        className={`tabular-nums sm:table-fixed sm:[&_td]:not-first:px-2.5! sm:[&_th]:not-first:px-2.5! sm:[&_td]:last:pr-4! sm:[&_th]:last:pr-4! ${columns.length < mostAtEase ? 'sm:min-w-[900px]' : 'sm:min-w-[1180px]'} ${tableAsBlocks}`}
      >
        <thead className="sticky top-0 z-10 bg-sheet">
          <tr aria-rowindex={1}>
            <th scope="col" className="w-28">
              Time
            </th>
            {columns.map(({ id, title, width = '', is }) => (
              <th key={id} scope="col" className={`${width} ${is === 'number' ? 'text-right!' : ''}`}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody onFocus={onFocus}>
          {drawn.map(({ row: { key, index }, above }) => {
            const { is, place } = rowAt(index, openedAt);
            const flow = flows[place];
            if (!flow) return null;
            return (
              <Fragment key={key}>
                <RowSpace height={above} columns={cells} />
                {is === 'flow' ? (
                  <FlowRow
                    flow={flow}
                    index={index}
                    columns={columns}
                    days={days}
                    isOpen={place === openedAt}
                    onOpen={onOpen}
                  />
                ) : (
                  <tr
                    ref={measure}
                    data-index={index}
                    aria-rowindex={index + 2}
                    className="bg-sunk max-sm:block max-sm:px-4 max-sm:pb-3"
                  >
                    <td colSpan={cells} className="max-sm:block">
                      <FlowBody flow={flow} onQuery={onQuery} onWhy={onWhy} onSuggest={onSuggest} />
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
          <RowSpace height={below} columns={cells} />
        </tbody>
      </table>
    </TableBox>
  );
}
