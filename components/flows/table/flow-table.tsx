import { Fragment, type KeyboardEvent, useMemo } from 'react';
import { KeyHint } from '#components/ui/rows/key-hint.tsx';
import { RowSpace } from '#components/ui/rows/row-space.tsx';
import { stepByLetter } from '#components/ui/rows/step-by-letter.ts';
import { TableBox, tableAsBlocks } from '#components/ui/table-box.tsx';
import type { Flow } from '#lib/flows/in-browser.ts';
import type { WhyPair } from '../why/why-pair.ts';
import { FlowBody } from './flow-body.tsx';
import { flowColumns } from './flow-columns.tsx';
import { FlowRow } from './flow-row.tsx';
import { rowAt } from './row-places.ts';
import { useRowsInSight } from './use-rows-in-sight.ts';

/** From this many columns on, the table needs its larger minimum width, and scrolls beside the rail in a window of the usual size. */
const mostAtEase = 8;
/** Rows that the server renders: they fill the box. Once the page's script runs, only the visible rows are drawn. */
const atFirst = 50;

/**
 * Newest first; one row at a time is open. A row is a fixed place on the page: new flows shift to other rows, and the page does not jump. On a narrow screen
 * each flow takes three lines.
 */
export function FlowTable({
  flows,
  viewKey,
  columns: chosen,
  days,
  opened,
  onOpen,
  onQuery,
  onWhy,
  onSuggest,
}: {
  flows: readonly Flow[];
  /** The query and the order of the flows; a change scrolls to the top. */
  viewKey: string;
  /** Ids of the columns to show. */
  columns: readonly string[];
  /** `any`: flows may be of other days, so the time of such a flow includes its date. */
  days: 'today' | 'any';
  opened: string | null;
  /** A function with a stable identity: a new one renders every row again. */
  onOpen: (id: string | null) => void;
  onQuery: (text: string) => void;
  onWhy: (pair: WhyPair) => void;
  /** Called with a workload: `shop/checkout`. */
  onSuggest: (workload: string) => void;
}) {
  const columns = useMemo(() => flowColumns.filter(({ id }) => chosen.includes(id)), [chosen]);
  const cells = columns.length + 1;
  const openedAt = opened === null ? -1 : flows.findIndex(({ id }) => id === opened);
  const { box, rows, below, measure, onFocus } = useRowsInSight({
    count: flows.length,
    opened: openedAt,
    bodyKey: `body ${opened}`,
    viewKey,
  });
  const isAlive = rows.length > 0;
  const drawn = isAlive ? rows : flows.slice(0, atFirst).map((_, index) => ({ row: { key: index, index }, above: 0 }));
  return (
    <>
      <TableBox ref={box} label="Flows, scrolls" className="max-h-[80dvh] overflow-y-auto sm:scroll-pt-9">
        <table
          aria-label="Flows"
          // Without a script only the first rows exist, so a screen reader must not announce more.
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
          <tbody onFocus={onFocus} onKeyDown={goByLetter}>
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
      <p className="flex flex-wrap gap-x-4 border-t border-line px-4 py-2 text-sm text-ink-3 max-sm:hidden">
        <span>On a flow:</span>
        <KeyHint keys={['j', 'k']} does="next, previous" />
        <KeyHint keys={['Enter']} does="open" />
      </p>
    </>
  );
}

/** Of a row: what opens it. */
const opener = 'tr > td:first-child > button[aria-expanded]';

/** Letters work while a row has the focus: anywhere else they are the reader's own (WCAG 2.1.4). The row before and the next are drawn wherever the table is scrolled. */
function goByLetter(event: KeyboardEvent<HTMLElement>) {
  const { target, currentTarget } = event;
  const step = stepByLetter(event);
  if (step === 0 || !(target instanceof HTMLElement) || !target.matches(opener)) return;
  const rows = [...currentTarget.querySelectorAll<HTMLElement>(opener)];
  rows[rows.indexOf(target) + step]?.focus();
}
