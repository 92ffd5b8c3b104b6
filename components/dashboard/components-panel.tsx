import { Empty } from '#components/ui/empty.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { type State, StateMark } from '#components/ui/state-mark.tsx';
import { TableBox, tableAsBlocks } from '#components/ui/table-box.tsx';
import { RelativeTime } from '#components/ui/time/relative-time.tsx';
import type { ClusterStatus, ComponentStatus } from '#lib/status/index.ts';

const order: readonly ComponentStatus['state'][] = ['degraded', 'unknown', 'progressing', 'available'];

/** TigeraStatuses, worst first, each with the generation of the Installation that it is about. */
export function ComponentsPanel({
  status: { components, installation, unknown },
  isOutage,
}: {
  status: ClusterStatus;
  /** Services are down. The operator does not notice that, so its states are shown without colour. */
  isOutage: boolean;
}) {
  const sorted = components.toSorted(
    (a, b) => order.indexOf(a.state) - order.indexOf(b.state) || a.name.localeCompare(b.name),
  );
  const refused = unknown.some(({ kind }) => kind === 'TigeraStatus');
  return (
    <Panel
      title="Components"
      className={isOutage ? 'grayscale' : ''}
      aside={
        isOutage
          ? 'by the operator, which does not watch Services'
          : installation
            ? `Installation generation ${installation.generation}`
            : undefined
      }
    >
      {sorted.length === 0 ? (
        <NoComponents why={refused ? 'not-read' : installation ? 'none-yet' : 'no-operator'} />
      ) : (
        <TableBox label="Table of components">
          <table className={`sm:table-fixed ${tableAsBlocks}`}>
            <thead>
              <tr>
                <th scope="col" className="w-[132px]">
                  Status
                </th>
                <th scope="col" className="w-[126px]">
                  Component
                </th>
                <th scope="col">Says</th>
                <th scope="col" className="w-[148px]">
                  Since
                </th>
                <th scope="col" className="w-[120px] whitespace-nowrap">
                  Generation
                </th>
              </tr>
            </thead>
            <tbody>
              {sorted.map((component) => (
                <Row key={component.name} component={component} />
              ))}
            </tbody>
          </table>
        </TableBox>
      )}
    </Panel>
  );
}

function Row({
  component: { name, state, message, since, observedGeneration, current },
}: {
  component: ComponentStatus;
}) {
  const { state: sign, words } = componentWords[state];
  return (
    <tr className="max-sm:grid max-sm:grid-cols-[auto_1fr] max-sm:gap-x-4 max-sm:border-line max-sm:px-4 max-sm:py-2.5 max-sm:not-first:border-t">
      <td className="whitespace-nowrap">
        <StateMark state={sign}>{words}</StateMark>
      </td>
      <th scope="row" className="border-t border-line align-top font-normal! text-ink!">
        {name}
      </th>
      <td className="break-words max-sm:col-span-2">
        {message ?? <span className="text-ink-3">no condition reported yet</span>}
      </td>
      <td className="truncate text-ink-2">{since === null ? '–' : <RelativeTime at={since} />}</td>
      <td className="whitespace-nowrap">
        <span className="text-ink-3 sm:hidden">generation </span>
        {observedGeneration ?? '–'}
        {current === false && <span className="text-amber sm:block"> behind</span>}
      </td>
    </tr>
  );
}

function NoComponents({ why }: { why: 'not-read' | 'none-yet' | 'no-operator' }) {
  if (why === 'not-read')
    return (
      <Empty title="TigeraStatus could not be read">The reason is above. The state of the components is unknown.</Empty>
    );
  if (why === 'none-yet')
    return (
      <Empty title="The operator has reported nothing yet">
        There is an Installation but no TigeraStatus. Is the operator running?
      </Empty>
    );
  return (
    <Empty title="Calico is not installed by the operator here">
      <code>Installation/default</code> and <code>tigerastatuses.operator.tigera.io</code> are not there.
    </Empty>
  );
}

/** By type, not by status: Degraded=True is bad, Progressing=True is what a change looks like, and no condition is unknown, never fine (calico.md §4). */
const componentWords: Record<ComponentStatus['state'], { state: State; words: string }> = {
  degraded: { state: 'bad', words: 'Degraded' },
  progressing: { state: 'now', words: 'Rolling out' },
  available: { state: 'ok', words: 'Available' },
  unknown: { state: 'unknown', words: 'Unknown' },
};
