import type { Metadata } from 'next';
import { ClusterList } from '#components/clusters/cluster-list.tsx';
import { Frame } from '#components/frame/frame.tsx';
import { clustersPath } from '#components/frame/paths.ts';
import { RailLinks } from '#components/frame/rail-links.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { host } from '#lib/console/host.ts';
import { requireSession } from './session.ts';
import { WithActions } from './with-actions.tsx';

export const metadata: Metadata = { title: 'Clusters' };

export default async function ClustersPage() {
  await requireSession();
  const entries = await host().clusters();
  return (
    <Frame
      rail={<RailLinks label="Console" links={[{ href: clustersPath, label: 'Clusters', count: entries.length }]} />}
    >
      <PageHead title="Clusters" sub="Choose the cluster that is to move. Nothing is changed before you approve it." />
      <WithActions>
        <ClusterList entries={entries} />
      </WithActions>
    </Frame>
  );
}
