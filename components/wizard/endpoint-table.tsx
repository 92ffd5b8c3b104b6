import { BreakableText } from '#components/ui/breakable-text.tsx';
import { StateIcon } from '#components/ui/state-mark.tsx';
import type { EndpointRow, EndpointRows } from '#lib/console/wizard/index.ts';

/** The probe from the console's machine: of the address itself, then of each API server behind it. */
export function EndpointTable({ rows: { itself, servers } }: { rows: EndpointRows }) {
  return (
    <table className="w-full table-fixed text-sm max-sm:block">
      <caption className="sr-only">What was seen from the machine that the console runs on</caption>
      {/* Here, as a row that spans both columns may come first. */}
      <colgroup>
        <col className="sm:w-36" />
        <col />
      </colgroup>
      <tbody className={`border-b border-line last:border-b-0 ${room}`}>
        {itself.map((row) => (
          <Row key={row.what} row={row} of="endpoint" />
        ))}
      </tbody>
      {servers.length > 0 && (
        <tbody className={room}>
          <tr>
            <th scope="rowgroup" colSpan={2} className="px-4 pb-1 text-left font-[560] text-ink-2">
              Each API server behind it, asked by itself
            </th>
          </tr>
          {servers.map((row) => (
            <Row key={row.what} row={row} of="server" />
          ))}
        </tbody>
      )}
    </table>
  );
}

/** Above the first row and below the last. */
const room = 'sm:[&>tr:first-child>*]:pt-3 sm:[&>tr:last-child>*]:pb-3 max-sm:block max-sm:py-2';

/** A row; on a narrow screen the subject is above the result. */
function Row({ row: { what, state, says, also }, of }: { row: EndpointRow; of: 'endpoint' | 'server' }) {
  return (
    <tr className="align-top max-sm:block max-sm:py-1">
      <th
        scope="row"
        className={`px-4 py-1.5 text-left font-normal text-ink-3 max-sm:block max-sm:pb-0 ${of === 'server' ? 'font-mono text-xs' : ''}`}
      >
        <BreakableText text={what} />
      </th>
      <td className="py-1.5 pr-4 max-sm:block max-sm:pl-4">
        <div className="flex gap-2">
          <span className="mt-[2px]">
            <StateIcon state={state} />
          </span>
          <div className="min-w-0">
            <p>
              <BreakableText text={says} />
            </p>
            {also.map((line) => (
              <p key={line} className="mt-0.5 font-mono text-xs text-ink-2">
                <BreakableText text={line} />
              </p>
            ))}
          </div>
        </div>
      </td>
    </tr>
  );
}
