import Link from 'next/link';
import type { ClusterEntry } from '#lib/console/host.ts';
import { ClosingDetails } from './closing-details.tsx';
import { DownIcon } from './down-icon.tsx';
import { clustersPath } from './paths.ts';
import { SwitcherList } from './switcher-list.tsx';

/** A list of links, which works without script and with the keyboard. */
export function ClusterSwitcher({ clusters, current }: { clusters: readonly ClusterEntry[]; current: string }) {
  // Only these fields go to the browser; a type alone would not remove others.
  const items = clusters.map(({ slug, name, kind, server, shows }) => ({ slug, name, kind, server, shows }));
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
        <SwitcherList clusters={items} />
        <p className="mt-1 border-t border-line px-2 pt-1">
          <Link href={clustersPath} prefetch={false} className="flex min-h-7 items-center no-underline">
            All clusters
          </Link>
        </p>
      </div>
    </ClosingDetails>
  );
}
