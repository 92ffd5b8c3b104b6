import { clusterPath } from '#components/frame/paths.ts';
import { ButtonLink } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import type { ClusterEntry } from '#lib/console/host.ts';
import { ClusterRow } from './cluster-row.tsx';
import { type ClusterItem, type ClusterSection, FilteredClusters } from './filtered-clusters.tsx';

/** Real clusters first; without any, a sandbox is suggested. `filter`: from the URL. */
export function ClusterList({ entries, filter }: { entries: readonly ClusterEntry[]; filter: string }) {
  const real = entries.filter(({ kind }) => kind !== 'sandbox');
  const sandboxes = entries
    .filter(({ kind }) => kind === 'sandbox')
    .toSorted((a, b) => Number(b.name === wayToTry) - Number(a.name === wayToTry));
  const sections: ClusterSection[] = [
    {
      title: 'Clusters',
      of: 'cluster',
      many: 'clusters',
      aside: '',
      groups: [{ heading: null, isOpen: true, items: real.map(itemOf) }],
    },
    {
      title: 'Sandboxes',
      of: 'sandbox',
      many: 'sandboxes',
      aside: 'sample clusters on this machine, with nodes that move',
      groups: groupsOf(sandboxes),
    },
  ];
  return (
    <div className="flex flex-col gap-4">
      {real.length === 0 && <NoCluster toTry={sandboxes.find(({ name }) => name === wayToTry)} />}
      <FilteredClusters
        sections={sections.filter(({ groups }) => groups.some(({ items }) => items.length > 0))}
        initial={filter}
      />
    </div>
  );
}

/** Sandboxes by heading: the first group is open, others are folded unless one of their sandboxes was used. */
function groupsOf(sandboxes: readonly ClusterEntry[]): ClusterSection['groups'] {
  return [...Map.groupBy(sandboxes, ({ group }) => group ?? '')].map(([heading, entries], at) => ({
    heading: at === 0 ? null : heading,
    isOpen: entries.some(({ kept }) => kept),
    items: entries.map(itemOf),
  }));
}

function itemOf(entry: ClusterEntry): ClusterItem {
  const { slug, name, kind, server, shows, group, current, kept } = entry;
  const text = [name, kind, server, shows, group, current && 'current', kept && 'changed'].filter(Boolean).join(' ');
  return { slug, text, row: <ClusterRow entry={entry} /> };
}

/** A healthy standard installation, like most clusters before the switch. */
const wayToTry = 'standard';

function NoCluster({ toTry }: { toTry: ClusterEntry | undefined }) {
  return (
    <Notice
      state="idle"
      title="No kubeconfig was found, and none is needed to try"
      actions={
        toTry && (
          <ButtonLink kind="primary" href={clusterPath(toTry.slug)}>
            Open the sandbox
          </ButtonLink>
        )
      }
    >
      <p className="max-w-[88ch]">
        The sandbox <b className="font-semibold">{wayToTry}</b> is a cluster of six nodes that exists on this machine
        only: enable eBPF on it, watch the nodes move, undo it. For a cluster of yours, start the console with{' '}
        <code>npm start -- --kubeconfig FILE</code> or set <code>KUBECONFIG</code>.
      </p>
    </Notice>
  );
}
