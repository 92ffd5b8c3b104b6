'use client';

import Link from 'next/link';
import { useState } from 'react';
import { useTakeOver } from '#components/ui/browser/use-take-over.ts';
import { hasAll, wordsOf } from '#components/ui/filter/words-of.ts';
import type { ClusterEntry } from '#lib/console/host.ts';
import { clusterPath } from './paths.ts';

const kinds: readonly { kind: ClusterEntry['kind']; heading: string }[] = [
  { kind: 'in-cluster', heading: 'This cluster' },
  { kind: 'kubeconfig', heading: 'Kubeconfig' },
  { kind: 'sandbox', heading: 'Sandboxes' },
];

/** The fields of a cluster for the list. It is part of every page, so it must not have the path of a kubeconfig. */
type SwitcherItem = Pick<ClusterEntry, 'slug' | 'name' | 'kind' | 'server' | 'shows'>;

/** With more clusters, a filter is shown. */
const mostUnfiltered = 7;

/** The clusters by kind, with a filter if there are many. Without script all are shown. */
export function SwitcherList({ clusters }: { clusters: readonly SwitcherItem[] }) {
  const takeOver = useTakeOver();
  const [filter, setFilter] = useState('');
  const words = wordsOf(filter);
  const shown = clusters.filter(({ name, server, shows }) => hasAll(`${name} ${server ?? ''} ${shows ?? ''}`, words));
  return (
    <>
      {clusters.length > mostUnfiltered && (
        <div className="px-2 pt-1 pb-1.5">
          <input
            type="search"
            aria-label="Filter the clusters to switch to"
            placeholder="Filter"
            autoComplete="off"
            spellCheck={false}
            ref={takeOver}
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
            className="min-h-7 w-full rounded-md border border-edge bg-sheet px-2 text-sm text-ink placeholder:text-ink-3"
          />
        </div>
      )}
      {kinds.map(({ kind, heading }) => (
        <Group key={kind} heading={heading} clusters={shown.filter((one) => one.kind === kind)} />
      ))}
      {shown.length === 0 && <p className="px-2 py-1 text-sm text-ink-3">No cluster is called so.</p>}
    </>
  );
}

function Group({ heading, clusters }: { heading: string; clusters: readonly SwitcherItem[] }) {
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
