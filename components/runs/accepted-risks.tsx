import { holderWords } from '#components/run/run-words.ts';
import { BreakableText } from '#components/ui/breakable-text.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { TableBox, tableAsBlocks } from '#components/ui/table-box.tsx';
import type { AcceptedRisk } from '#lib/run/index.ts';
import { ExactTime } from './report-table.tsx';

/** Accepted risks with reason, author and time; nothing if there are none. */
export function AcceptedRisks({ risks }: { risks: readonly AcceptedRisk[] }) {
  if (risks.length === 0) return null;
  return (
    <Panel title="Accepted risks" aside={<span className="text-sm">{risks.length}</span>}>
      <TableBox label="Accepted risks">
        <table className={tableAsBlocks}>
          <thead>
            <tr>
              <th scope="col" className="w-[45%]">
                Accepted
              </th>
              <th scope="col">Reason</th>
              <th scope="col" className="w-64">
                By
              </th>
            </tr>
          </thead>
          <tbody>
            {risks.map(({ id, title, because, verified, reason, by, at }) => (
              <tr
                key={`${id} ${at}`}
                className="break-inside-avoid max-sm:grid max-sm:border-line max-sm:px-4 max-sm:py-2.5 max-sm:not-first:border-t"
              >
                <td className="align-top">
                  <StateMark state={verified ? 'idle' : 'unknown'}>
                    {verified ? 'accepted' : 'accepted, not verified'}
                  </StateMark>
                  <p className="font-[560]">
                    {title}{' '}
                    <code className="font-normal text-ink-3">
                      <BreakableText text={id} />
                    </code>
                  </p>
                  {because !== null && <p className="text-ink-2">{because}</p>}
                </td>
                <td className="align-top [overflow-wrap:anywhere]">“{reason}”</td>
                <td className="align-top text-ink-3">
                  {holderWords(by)}, <ExactTime at={at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
    </Panel>
  );
}
