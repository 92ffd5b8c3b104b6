import { type ReactNode, Suspense } from 'react';
import type { ClusterEntry } from '#lib/console/host.ts';
import { ClusterSwitcher } from './cluster-switcher.tsx';
import { clusterPath, findingsPath, runsPath } from './paths.ts';
import { FindingsCount, RunsCount } from './rail-counts.tsx';
import { RailLinks } from './rail-links.tsx';

/** What the rail holds on the pages of one cluster. The counts come when they come. */
export function ClusterRail({ clusters, cluster }: { clusters: readonly ClusterEntry[]; cluster: ClusterEntry }) {
  const { slug, name, problem } = cluster;
  const count = (child: ReactNode) => (problem === null ? <Suspense fallback={null}>{child}</Suspense> : null);
  return (
    <>
      <ClusterSwitcher clusters={clusters} current={name} />
      <RailLinks
        label={`Pages of ${name}`}
        links={[
          { href: clusterPath(slug), label: 'Dashboard' },
          { href: findingsPath(slug), label: 'Findings', count: count(<FindingsCount cluster={slug} />) },
          { href: runsPath(slug), label: 'Runs', count: count(<RunsCount cluster={slug} />) },
        ]}
      />
    </>
  );
}
