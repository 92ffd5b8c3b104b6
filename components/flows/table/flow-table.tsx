import { Fragment } from 'react';
import { Chevron } from '#components/ui/chevron.tsx';
import { TableBox, tableAsBlocks } from '#components/ui/table-box.tsx';
import { ClockTime } from '#components/ui/time/clock-time.tsx';
import { endName, type Flow } from '#lib/flows/in-browser.ts';
import { FlowTime, isoTime } from '../flow-time.tsx';
import type { WhyPair } from '../why/why-pair.ts';
import { FlowBody } from './flow-body.tsx';
import { type FlowColumn, flowColumns } from './flow-columns.tsx';

/** Columns that fit beside the rail of a usual window. */
const mostAtEase = 8;

/**
 * Newest first; one row at a time is open. A row is a place: what comes moves flows from place to place, and nothing on the page. On a telephone a
 * flow is three lines.
 */
export function FlowTable({
  flows,
  columns: chosen,
  days,
  opened,
  onOpen,
  onQuery,
  onWhy,
  onSuggest,
}: {
  flows: readonly Flow[];
  /** Ids of columns. */
  columns: readonly string[];
  /** `any`: the time of a flow has its day, where that is not today. */
  days: 'today' | 'any';
  opened: string | null;
  onOpen: (id: string | null) => void;
  onQuery: (text: string) => void;
  onWhy: (pair: WhyPair) => void;
  /** Of a workload: `shop/checkout`. */
  onSuggest: (workload: string) => void;
}) {
  const columns = flowColumns.filter(({ id }) => chosen.includes(id));
  return (
    <TableBox label="Flows, scrolls">
      <table
        className={`tabular-nums sm:table-fixed ${columns.length < mostAtEase ? 'sm:min-w-[900px]' : 'sm:min-w-[1180px]'} ${tableAsBlocks}`}
      >
        <thead>
          <tr>
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
        <tbody>
          {flows.map((flow, place) => {
            const isOpen = flow.id === opened;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is a place.
              <Fragment key={place}>
                <tr
                  className={`border-t border-line sm:h-9 sm:*:py-0! max-sm:grid max-sm:grid-cols-[auto_minmax(0,1fr)_auto] max-sm:h-[106px] max-sm:content-center max-sm:gap-x-3 max-sm:px-4 ${isOpen ? 'bg-sunk' : ''}`}
                >
                  <td className="align-middle!">
                    <button
                      type="button"
                      aria-expanded={isOpen}
                      onClick={() => onOpen(isOpen ? null : flow.id)}
                      className="-mx-1 inline-flex items-center gap-1.5 rounded px-1 hover:text-blue"
                    >
                      <Chevron look={isOpen ? 'rotate-90' : ''} />
                      {days === 'today' ? <ClockTime at={isoTime(flow.end)} /> : <FlowTime at={flow.end} />}
                      <span className="sr-only">
                        {flow.verdict}, {endName(flow.from)} to {endName(flow.to)}
                      </span>
                    </button>
                  </td>
                  {columns.map((column) => (
                    <Cell key={column.id} column={column} flow={flow} />
                  ))}
                </tr>
                {isOpen && (
                  <tr className="bg-sunk max-sm:block max-sm:px-4 max-sm:pb-3">
                    <td colSpan={columns.length + 1} className="max-sm:block">
                      <FlowBody flow={flow} onQuery={onQuery} onWhy={onWhy} onSuggest={onSuggest} />
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </TableBox>
  );
}

const looks: Readonly<Record<FlowColumn['is'], string>> = {
  words: 'whitespace-nowrap',
  name: 'truncate font-mono text-xs',
  number: 'whitespace-nowrap text-right!',
};

function Cell({ column: { is, narrow = 'max-sm:hidden', text, draw }, flow }: { column: FlowColumn; flow: Flow }) {
  const said = text(flow);
  return (
    <td className={`align-middle! ${looks[is]} ${narrow}`} title={is === 'name' ? said : undefined}>
      {draw ? draw(flow) : said}
    </td>
  );
}
