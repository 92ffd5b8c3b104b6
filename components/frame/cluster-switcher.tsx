import Link from 'next/link';
import type { ClusterEntry } from '#lib/console/host.ts';
import { ClosingDetails } from './closing-details.tsx';
import { DownIcon } from './down-icon.tsx';
import { clusterPath, clustersPath } from './paths.ts';

const kinds: readonly { kind: ClusterEntry['kind']; heading: string }[] = [
  { kind: 'in-cluster', heading: 'This cluster' },
  { kind: 'kubeconfig', heading: 'Kubeconfig' },
  { kind: 'sandbox', heading: 'Sandboxes' },
];

/** Links in place: works without script, and with the keyboard as every list of links does. */
export function ClusterSwitcher({ clusters, current }: { clusters: readonly ClusterEntry[]; current: string }) {
  return (
    <ClosingDetails className="relative mb-3">
      <summary className="flex min-h-8 list-none items-center justify-between gap-2 rounded-md border border-line bg-sheet px-2 py-1 hover:border-edge [&::-webkit-details-marker]:hidden">
        <span className="min-w-0 truncate" title={current}>
          <span className="sr-only">Cluster: </span>
          {current}
        </span>
        <DownIcon />
      </summary>
      <div className="mt-1 max-h-[60vh] overflow-y-auto rounded-md border border-line bg-sheet py-1">
        {kinds.map(({ kind, heading }) => (
          <Group key={kind} heading={heading} clusters={clusters.filter((one) => one.kind === kind)} />
        ))}
        <p className="mt-1 border-t border-line px-2 pt-1">
          <Link href={clustersPath} prefetch={false} className="flex min-h-7 items-center no-underline">
            All clusters
          </Link>
        </p>
      </div>
    </ClosingDetails>
  );
}

function Group({ heading, clusters }: { heading: string; clusters: readonly ClusterEntry[] }) {
  if (clusters.length === 0) return null;
  return (
    <>
      <p className="px-2 pt-1.5 text-xs text-ink-3">{heading}</p>
      <ul>
        {clusters.map(({ slug, name }) => (
          <li key={slug}>
            <Link
              href={clusterPath(slug)}
              prefetch={false}
              className="block min-h-7 px-2 py-1 break-words text-ink no-underline hover:bg-sunk"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
