import type { Metadata } from 'next';
import { ClusterList } from '#components/clusters/cluster-list.tsx';
import { Frame } from '#components/frame/frame.tsx';
import { clustersPath } from '#components/frame/paths.ts';
import { RailLinks } from '#components/frame/rail/rail-links.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { host } from '#lib/console/host.ts';
import { requireSession } from './session.ts';
import { WithActions } from './with-actions.tsx';

export const metadata: Metadata = { title: 'Clusters' };

export default async function ClustersPage({ searchParams }: { searchParams: Promise<{ q?: string | string[] }> }) {
  await requireSession();
  const [entries, { q }] = await Promise.all([host().clusters(), searchParams]);
  // Sandboxes are samples and do not count.
  const real = entries.filter(({ kind }) => kind !== 'sandbox').length;
  return (
    <Frame
      rail={
        <RailLinks
          label="Console"
          links={[{ href: clustersPath, label: 'Clusters', count: real === 0 ? undefined : real }]}
        />
      }
    >
      <PageHead
        title="Clusters"
        sub="Install Calico, upgrade it, or move a cluster to its eBPF data plane. Pick a cluster: nothing is changed before you approve the plan."
      />
      <WithActions>
        <ClusterList entries={entries} filter={typeof q === 'string' ? q : ''} />
      </WithActions>
    </Frame>
  );
}
