import { Fragment } from 'react';
import { Chevron } from '#components/ui/chevron.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { TableBox } from '#components/ui/table-box.tsx';
import { ClockTime } from '#components/ui/time/clock-time.tsx';
import { bytesText, decidedBy, endName, type Flow, wouldBeDenied } from '#lib/flows/in-browser.ts';
import { FlowBody } from './flow-body.tsx';

const columns = ['Time', 'Verdict', 'From', 'To', 'Port', 'Decided by', 'Conns', 'Bytes'] as const;
const ofNumbers: readonly string[] = ['Conns', 'Bytes'];

/** Newest first; one row at a time is open. */
export function FlowTable({
  flows,
  opened,
  onOpen,
  onQuery,
}: {
  flows: readonly Flow[];
  opened: string | null;
  onOpen: (id: string | null) => void;
  onQuery: (text: string) => void;
}) {
  return (
    <TableBox label="Flows, scrolls">
      <table className="min-w-[900px] tabular-nums">
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col" className={ofNumbers.includes(name) ? 'text-right!' : ''}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {flows.map((flow) => {
            const isOpen = flow.id === opened;
            return (
              <Fragment key={flow.id}>
                <tr className={`border-t border-line ${isOpen ? 'bg-sunk' : ''}`}>
                  <td className="align-middle!">
                    <button
                      type="button"
                      aria-expanded={isOpen}
                      onClick={() => onOpen(isOpen ? null : flow.id)}
                      className="-mx-1 inline-flex items-center gap-1.5 rounded px-1 hover:text-blue"
                    >
                      <Chevron look={isOpen ? 'rotate-90' : ''} />
                      <ClockTime at={new Date(flow.end * 1000).toISOString()} />
                      <span className="sr-only">
                        {flow.verdict}, {endName(flow.from)} to {endName(flow.to)}
                      </span>
                    </button>
                  </td>
                  <td className="align-middle! whitespace-nowrap">
                    <Verdict flow={flow} />
                  </td>
                  <End name={endName(flow.from)} />
                  <End name={endName(flow.to)} />
                  <td className="align-middle! whitespace-nowrap">
                    {flow.port} {flow.protocol}
                  </td>
                  <End name={decidedBy(flow)} />
                  <td className="text-right! align-middle!">{flow.connections.started}</td>
                  <td className="text-right! align-middle! whitespace-nowrap">
                    {bytesText(flow.bytes.in + flow.bytes.out)}
                  </td>
                </tr>
                {isOpen && (
                  <tr className="bg-sunk">
                    <td colSpan={columns.length}>
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

function End({ name }: { name: string }) {
  return (
    <td className="max-w-56 truncate align-middle! font-mono text-xs" title={name}>
      {name}
    </td>
  );
}
