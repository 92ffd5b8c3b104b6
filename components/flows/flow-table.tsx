import { Fragment } from 'react';
import { Chevron } from '#components/ui/chevron.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { TableBox, tableAsBlocks } from '#components/ui/table-box.tsx';
import { ClockTime } from '#components/ui/time/clock-time.tsx';
import { bytesText, decidedBy, endName, type Flow, wouldBeDenied } from '#lib/flows/in-browser.ts';
import { FlowBody } from './flow-body.tsx';
import { FlowTime, isoTime } from './flow-time.tsx';

const columns = ['Time', 'Verdict', 'From', 'To', 'Port', 'Decided by', 'Conns', 'Bytes'] as const;
const ofNumbers: readonly string[] = ['Conns', 'Bytes'];
/** As classes. The names of ends and policies share the rest: no column is as wide as what happens to stand in it. */
const widths: Readonly<Partial<Record<(typeof columns)[number], string>>> = {
  Time: 'w-28',
  Verdict: 'w-32',
  Port: 'w-28',
  Conns: 'w-20',
  Bytes: 'w-24',
};

/**
 * Newest first; one row at a time is open. A row is a place: what comes moves flows from place to place, and nothing on the page. On a telephone a
 * flow is three lines.
 */
export function FlowTable({
  flows,
  days,
  opened,
  onOpen,
  onQuery,
}: {
  flows: readonly Flow[];
  /** `any`: the time of a flow has its day, where that is not today. */
  days: 'today' | 'any';
  opened: string | null;
  onOpen: (id: string | null) => void;
  onQuery: (text: string) => void;
}) {
  return (
    <TableBox label="Flows, scrolls">
      <table className={`tabular-nums sm:min-w-[900px] sm:table-fixed ${tableAsBlocks}`}>
        <thead>
          <tr>
            {columns.map((name) => (
              <th
                key={name}
                scope="col"
                className={`${widths[name] ?? ''} ${ofNumbers.includes(name) ? 'text-right!' : ''}`}
              >
                {name}
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
                  <td className="align-middle! whitespace-nowrap">
                    <Verdict flow={flow} />
                  </td>
                  <End name={endName(flow.from)} look="max-sm:col-span-3" />
                  <End name={endName(flow.to)} look="max-sm:col-span-2 max-sm:before:content-['→_']" />
                  <td className="align-middle! whitespace-nowrap max-sm:text-right!">
                    {flow.port} {flow.protocol}
                  </td>
                  <End name={decidedBy(flow)} look="max-sm:col-span-3 max-sm:text-ink-2" />
                  <td className="text-right! align-middle! max-sm:hidden">{flow.connections.started}</td>
                  <td className="text-right! align-middle! whitespace-nowrap max-sm:col-start-3 max-sm:row-start-1">
                    {bytesText(flow.bytes.in + flow.bytes.out)}
                  </td>
                </tr>
                {isOpen && (
                  <tr className="bg-sunk max-sm:block max-sm:px-4 max-sm:pb-3">
                    <td colSpan={columns.length} className="max-sm:block">
                      <FlowBody flow={flow} onQuery={onQuery} />
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

/** Allowed is the usual: it has no colour. */
function Verdict({ flow }: { flow: Flow }) {
  if (flow.verdict === 'denied') return <StateMark state="bad">Denied</StateMark>;
  if (wouldBeDenied(flow)) return <StateMark state="unknown">Would deny</StateMark>;
  return <span className="text-ink-2">{flow.verdict === 'allowed' ? 'Allowed' : 'Passed on'}</span>;
}

function End({ name, look }: { name: string; look: string }) {
  return (
    <td className={`truncate align-middle! font-mono text-xs ${look}`} title={name}>
      {name}
    </td>
  );
}
