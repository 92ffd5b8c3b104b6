import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { TableBox, tableAsBlocks } from '#components/ui/table-box.tsx';
import type { HelmValue } from '#lib/plan/index.ts';
import { ChangedValue } from './changed-value.tsx';

/** Values of the release: now, with the new chart, and what that says by itself. */
export function HelmValues({ values, from, to }: { values: readonly HelmValue[]; from: string | null; to: string }) {
  if (values.length === 0)
    return (
      <Panel title="Values of the release">
        <p className="px-4 py-3 text-ink-2">The release has no values of its own: the chart’s stand.</p>
      </Panel>
    );
  return (
    <Panel title="Values of the release">
      <TableBox label="Values of the release">
        <table className={tableAsBlocks}>
          <thead>
            <tr>
              <th scope="col">Value</th>
              <th scope="col">{from === null ? 'Now' : `Now, ${from}`}</th>
              <th scope="col">With {to}</th>
              <th scope="col">Chart’s own</th>
            </tr>
          </thead>
          <tbody>
            {values.map(({ path, now, next, chart, becomes }) => (
              <tr
                key={path}
                className="max-sm:grid max-sm:gap-y-1 max-sm:border-line max-sm:px-4 max-sm:py-2.5 max-sm:not-first:border-t"
              >
                <th scope="row" className="border-t border-line align-top font-normal! text-ink!">
                  <code className="block min-w-44 [overflow-wrap:anywhere]">{path}</code>
                </th>
                <td>
                  <OnTelephone>{from === null ? 'Now' : `Now, ${from}`}</OnTelephone>
                  <ChangedValue value={now} of={`${path}, now`} />
                </td>
                <td>
                  <OnTelephone>With {to}</OnTelephone>
                  <After becomes={becomes}>
                    <ChangedValue value={next} of={`${path}, with ${to}`} />
                  </After>
                </td>
                <td className="text-ink-2">
                  <OnTelephone>Chart’s own</OnTelephone>
                  {chart === undefined ? (
                    <span className="text-ink-3">not known</span>
                  ) : (
                    <ChangedValue value={chart} of={`${path}, the chart’s own`} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
    </Panel>
  );
}

/** The head of the column, where a row is a block and no head stands above it. */
function OnTelephone({ children }: { children: React.ReactNode }) {
  return (
    <span aria-hidden="true" className="block text-xs text-ink-3 sm:hidden">
      {children}
    </span>
  );
}

function After({ becomes, children }: { becomes: HelmValue['becomes']; children: React.ReactNode }) {
  if (becomes === 'same') return <span className="text-ink-2">stays</span>;
  return (
    <>
      {becomes !== 'moved' && children}{' '}
      <span className="block text-xs whitespace-nowrap">
        <StateMark state={becomes === 'moved' ? 'idle' : 'warn'}>{words[becomes]}</StateMark>
      </span>
    </>
  );
}

const words = { changed: 'changed', added: 'written', moved: 'stays, ignored here' } as const;
