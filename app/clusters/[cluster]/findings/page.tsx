import type { Metadata } from 'next';
import { Suspense } from 'react';
import { PendingFindings } from '#components/compatibility/pending-findings.tsx';
import { ClusterFindings } from '#components/dashboard/cluster-findings.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { checks } from '#lib/checks/index.ts';
import { host } from '#lib/console/host.ts';
import { requireSession } from '../../../session.ts';
import { checkFindingsAgain } from '../actions.ts';

export const metadata: Metadata = { title: 'Findings' };

const title = 'Findings';

/** The findings of an *enable* without answers, read-only; answers belong to a draft. */
export default async function FindingsPage({ params }: { params: Promise<{ cluster: string }> }) {
  await requireSession();
  const { cluster } = await params;
  const entry = (await host().clusters()).find(({ slug }) => slug === cluster);
  if (!entry) return null;
  const titles = checks.filter(({ goals }) => goals.includes('enable')).map((check) => check.topic);
  return (
    <Suspense
      fallback={
        <>
          <PageHead title={title} sub="Reading the cluster, then checking what was read." />
          <PendingFindings titles={titles} />
        </>
      }
    >
      <ClusterFindings entry={entry} title={title} again={checkFindingsAgain.bind(null, entry.slug)} />
    </Suspense>
  );
}
