import type { ReactNode } from 'react';
import { StateMark } from '#components/ui/state-mark.tsx';
import { TableBox } from '#components/ui/table-box.tsx';
import { counted, duration } from '#lib/base/words.ts';
import type { ChangedPair, ChangesOfRun } from '#lib/flows/index.ts';
import { ExactTime } from './report-table.tsx';

/** Pairs that talked before a run and are denied or silent since, with the reason. `leads`: wraps a pair's names in a link. */
export function ChangedPairs({
  changes,
  leads = (_, names) => names,
}: {
  changes: ChangesOfRun;
  leads?: (pair: ChangedPair, names: ReactNode) => ReactNode;
}) {
  const { pairs, talked, untold, secondsBefore, secondsSince, isCut } = changes;
  const of = `of ${counted(talked, 'pair')} that talked in the ${duration(secondsBefore)} before the run`;
  return (
    <>
      <p className="px-4 py-3">
        {pairs.length === 0
          ? `None ${of} is denied or silent since.`
          : `${pairs.length} ${of}: denied or silent since.`}{' '}
        <span className="text-ink-3">
          Observed for {duration(secondsSince)} since the run.
          {untold > 0 && ` ${counted(untold, 'pair')} talked too seldom to compare.`}
          {isCut && ' Too many flows to compare all of them: silent pairs are left out.'}
        </span>
      </p>
      {pairs.length > 0 && (
        <TableBox label="Pairs that are denied or silent since">
          <table>
            <thead>
              <tr>
                <th scope="col">Since</th>
                <th scope="col">From</th>
                <th scope="col">To</th>
                <th scope="col">Port</th>
                <th scope="col">Last seen</th>
                <th scope="col">Why</th>
              </tr>
            </thead>
            <tbody>
              {pairs.slice(0, mostShown).map((pair) => (
                <tr key={`${pair.from} ${pair.to} ${pair.port} ${pair.protocol}`} className="break-inside-avoid">
                  <td className="whitespace-nowrap">
                    <StateMark state={pair.state === 'denied' ? 'bad' : 'unknown'}>{pair.state}</StateMark>
                  </td>
                  <td className="[overflow-wrap:anywhere]">{leads(pair, pair.from)}</td>
                  <td className="[overflow-wrap:anywhere]">{pair.to}</td>
                  <td className="whitespace-nowrap">
                    {pair.port} {pair.protocol}
                  </td>
                  <td className="whitespace-nowrap">
                    <ExactTime at={new Date(pair.seen * 1000).toISOString()} />
                  </td>
                  <td className="min-w-40 [overflow-wrap:anywhere]">{pair.why}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableBox>
      )}
      {pairs.length > mostShown && (
        <p className="px-4 py-3 text-sm text-ink-3">
          {counted(pairs.length - mostShown, 'more pair')}: <code>signalbox flows changes</code> lists all.
        </p>
      )}
    </>
  );
}

const mostShown = 50;
