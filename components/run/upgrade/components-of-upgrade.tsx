'use client';

import { Panel } from '#components/ui/panel.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { TableBox, tableAsBlocks } from '#components/ui/table-box.tsx';
import { thousands } from '#lib/base/words.ts';
import type { RunView } from '#lib/console/wire.ts';
import { componentRows, legOf } from './component-rows.ts';
import { legNow, type ReleasesOfRun } from './release-lines.ts';
import type { WorkloadsRead } from './use-workloads.ts';

/** Calico's workloads with their progress to the target release. */
export function ComponentsOfUpgrade({
  workloads: { read, failed },
  releases,
  direction,
  operations,
}: {
  workloads: WorkloadsRead;
  releases: ReleasesOfRun;
  direction: 'forward' | 'undo';
  operations: RunView['operations'];
}) {
  const leg = legOf(releases, direction === 'forward' ? legNow(releases.to, operations) : null);
  const rows = read === null ? null : componentRows(read.workloads, releases, direction, leg);
  const done = rows?.filter(({ word }) => word === 'Done').length ?? 0;
  return (
    <Panel
      title="Components"
      aside={
        rows === null ? undefined : (
          <span className="text-sm">{`${leg.words === '' ? '' : `${leg.words} · `}${done} of ${rows.length} done`}</span>
        )
      }
    >
      {failed !== null && <p className="px-4 pt-3 text-sm text-ink-2">Not read again: {failed}</p>}
      {rows === null ? (
        failed === null && (
          <div className="px-4 py-3">
            <Skeleton label="Reading the components" widths={['w-2/3', 'w-1/2', 'w-2/3', 'w-1/2']} />
          </div>
        )
      ) : rows.length === 0 ? (
        <p className="px-4 py-3 text-ink-2">{read?.unknown[0] ?? 'No workload of Calico is there.'}</p>
      ) : (
        <TableBox label="Components and their releases">
          <table className={tableAsBlocks}>
            <thead>
              <tr>
                <th scope="col">State</th>
                <th scope="col">Component</th>
                <th scope="col">From</th>
                <th scope="col">To</th>
                <th scope="col">Updated</th>
                <th scope="col">Says</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ object, name, state, word, from, to, updated, wanted, says }) => (
                <tr
                  key={object}
                  className="max-sm:grid max-sm:grid-cols-[5.5rem_minmax(0,1fr)] max-sm:gap-x-3 max-sm:border-line max-sm:px-4 max-sm:py-2 max-sm:not-first:border-t"
                >
                  <td className="whitespace-nowrap">
                    <StateMark state={state}>{word}</StateMark>
                  </td>
                  <th
                    scope="row"
                    title={object}
                    className="border-t border-line font-normal! whitespace-nowrap text-ink!"
                  >
                    {name}
                  </th>
                  <td className="text-ink-3 max-sm:col-start-2">
                    {from}
                    <span className="sm:hidden"> → {to}</span>
                  </td>
                  <td className={`max-sm:hidden ${word === 'Done' ? 'font-semibold' : ''}`}>{to}</td>
                  <td className="whitespace-nowrap max-sm:col-start-1">
                    {thousands(updated)} of {thousands(wanted)}
                  </td>
                  <td className="text-ink-3">{says}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableBox>
      )}
      {rows !== null && rows.length > 0 && (read?.unknown.length ?? 0) > 0 && (
        <p className="border-t border-line px-4 py-2 text-sm text-ink-2 [overflow-wrap:anywhere]">
          Not all of them: {read?.unknown.join(' ')}
        </p>
      )}
    </Panel>
  );
}
