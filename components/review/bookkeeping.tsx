import { Disclosure } from '#components/ui/disclosure.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { TableBox } from '#components/ui/table-box.tsx';
import { names } from '#lib/spec/index.ts';

const place = names.journalNamespace;

/** Nothing is written that was not shown: what a run keeps for itself is part of that (product.md › Promises 1). lib/run writes these. */
const kept = [
  {
    object: `Namespace/${place}`,
    what: 'Holds the journals of runs. The first run makes it; it goes with the last journal that is forgotten (signalbox runs --forget RUN).',
  },
  {
    object: `${place}/ConfigMap/signalbox-run-…`,
    what: 'The journal of the run: this plan, and what was begun and finished. It stays, so that the run can be taken back later.',
  },
  {
    object: `${place}/Lease/signalbox`,
    what: 'Makes sure that only one process carries runs on this cluster. Released when the run ends.',
  },
  {
    object: 'default/Event/signalbox-…',
    what: 'What kubectl describe installation default tells. Kubernetes deletes Events by itself, usually after an hour.',
  },
] as const;

export function Bookkeeping() {
  return (
    <Panel className="px-4 py-2.5">
      <Disclosure summary={<span className="text-sm">What the run keeps for itself: 4 objects</span>}>
        <TableBox label="Objects of the run">
          <table>
            <tbody>
              {kept.map(({ object, what }, index) => (
                <tr key={object}>
                  <th scope="row" className={`align-top ${index > 0 ? 'border-t border-line' : ''}`}>
                    <code className="text-ink">{object}</code>
                  </th>
                  <td className={index === 0 ? '!border-t-0' : ''}>{what}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableBox>
      </Disclosure>
    </Panel>
  );
}
