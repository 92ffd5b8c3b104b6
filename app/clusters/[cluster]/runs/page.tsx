import type { Metadata } from 'next';
import { Suspense } from 'react';
import { requireSession } from '#app/session.ts';
import { History } from '#components/runs/history.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';

export const metadata: Metadata = { title: 'Runs' };

/** Runs and drafts of a cluster. */
export default async function RunsPage({ params }: { params: Promise<{ cluster: string }> }) {
  await requireSession();
  const { cluster } = await params;
  return (
    <>
      <PageHead title="Runs" />
      <Suspense
        fallback={
          <Panel>
            <Skeleton label="Reading the runs of this cluster" widths={['w-full', 'w-2/3', 'w-full', 'w-1/2']} />
          </Panel>
        }
      >
        <History cluster={cluster} />
      </Suspense>
    </>
  );
}
