import { Disclosure } from '#components/ui/disclosure.tsx';
import { Panel } from '#components/ui/panel.tsx';
import type { ClusterEntry } from '#lib/console/host.ts';
import { ClusterRow } from './cluster-row.tsx';

/** Sample clusters by heading: the first ones in sight, the others behind their heading unless one of them was used. */
export function SandboxGallery({ sandboxes }: { sandboxes: readonly ClusterEntry[] }) {
  const [first, ...others] = Map.groupBy(sandboxes, ({ group }) => group ?? '');
  if (first === undefined) return null;
  return (
    <Panel title="Sandboxes" aside="sample clusters on this machine, with nodes that move">
      <Rows entries={first[1]} />
      {others.map(([heading, entries]) => (
        <div key={heading} className="border-t border-line px-4 py-3">
          <Disclosure
            open={entries.some(({ kept }) => kept)}
            summary={
              <span>
                {heading} <span className="text-ink-3">{entries.length}</span>
              </span>
            }
          >
            <div className="-mx-4 -mb-3 border-t border-line">
              <Rows entries={entries} />
            </div>
          </Disclosure>
        </div>
      ))}
    </Panel>
  );
}

function Rows({ entries }: { entries: readonly ClusterEntry[] }) {
  return (
    <ul>
      {entries.map((entry) => (
        <ClusterRow key={entry.slug} entry={entry} />
      ))}
    </ul>
  );
}
