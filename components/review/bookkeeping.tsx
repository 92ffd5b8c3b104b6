import { Disclosure } from '#components/ui/disclosure.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { WithCode } from '#components/ui/with-code.tsx';
import { counted } from '#lib/base/words.ts';
import { names, objectId, watchRefs } from '#lib/spec/index.ts';

const place = names.journalNamespace;

/** Objects that a run writes for itself (lib/run), shown because nothing is written that was not shown (product.md › Promises 1). */
const kept = [
  {
    object: `Namespace/${place}`,
    what: 'Holds the journals of runs. Created by the first run, deleted with the last journal: `signalbox runs --forget RUN`.',
  },
  {
    object: `${place}/ConfigMap/signalbox-run-…`,
    what: 'The journal of the run: this plan, and what was begun and finished. It stays, so that the run can be undone later.',
  },
  {
    object: `${place}/Lease/signalbox`,
    what: 'Makes sure that only one process carries out runs on this cluster. Released when the run ends.',
  },
  {
    object: 'default/Event/signalbox-…',
    what: 'Shown by `kubectl describe installation default`. Kubernetes deletes Events by itself, usually after an hour.',
  },
] as const;

/** Objects of the watch of Services, if it is on. Its step lists copies of pull Secrets. */
const watched = watchRefs([]).map((ref) => ({
  object: objectId(ref),
  what: 'Asks Services during the run. Removed at its end.',
}));

export function Bookkeeping({ isWatched }: { isWatched: boolean }) {
  const rows = [...kept, ...(isWatched ? watched : [])];
  return (
    <Panel className="px-4 py-2.5">
      <Disclosure summary={<span className="text-sm">Bookkeeping of the run: {counted(rows.length, 'object')}</span>}>
        <dl aria-label="Objects of the run" className="divide-y divide-line text-sm">
          {rows.map(({ object, what }) => (
            <div key={object} className="py-1.5 sm:grid sm:grid-cols-[minmax(0,26rem)_minmax(0,1fr)] sm:gap-x-6">
              <dt className="[overflow-wrap:anywhere]">
                <code className="text-ink">{object}</code>
              </dt>
              <dd className="text-ink-2">
                <WithCode text={what} />
              </dd>
            </div>
          ))}
        </dl>
      </Disclosure>
    </Panel>
  );
}
