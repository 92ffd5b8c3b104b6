import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { ClusterRail } from '#components/frame/cluster-rail.tsx';
import { ConnectionStrip } from '#components/frame/connection-strip.tsx';
import { Frame } from '#components/frame/frame.tsx';
import { host } from '#lib/console/host.ts';
import { requireSession } from '../../session.ts';
import { WithActions } from '../../with-actions.tsx';

type Props = { params: Promise<{ cluster: string }>; children: ReactNode };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const entry = await entryOf((await params).cluster);
  return entry ? { title: { default: entry.name, template: `%s · ${entry.name} · Signalbox` } } : {};
}

/** The frame of a cluster's pages. Connects to nothing, so that the rail is there even if the cluster does not answer. */
export default async function ClusterLayout({ params, children }: Props) {
  await requireSession();
  const clusters = await host().clusters();
  const { cluster } = await params;
  const entry = clusters.find(({ slug }) => slug === cluster);
  if (!entry) notFound();
  const warnings = entry.kind === 'sandbox' ? [] : entry.warnings;
  return (
    <Frame rail={<ClusterRail clusters={clusters} cluster={entry} />} strip={<ConnectionStrip warnings={warnings} />}>
      <WithActions>{children}</WithActions>
    </Frame>
  );
}

async function entryOf(cluster: string) {
  await requireSession();
  return (await host().clusters()).find(({ slug }) => slug === cluster);
}
