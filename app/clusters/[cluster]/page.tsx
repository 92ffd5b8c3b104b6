import { Suspense } from 'react';
import { answersSoon } from '#components/dashboard/answers-soon.ts';
import { Dashboard } from '#components/dashboard/dashboard.tsx';
import { DashboardSkeleton } from '#components/dashboard/dashboard-skeleton.tsx';
import { host } from '#lib/console/host.ts';
import { requireSession } from '../../session.ts';

const soonMs = 400;

/** The skeleton is not in a `loading.tsx`, because that would also apply to the pages below, which look different. */
export default async function DashboardPage({ params }: { params: Promise<{ cluster: string }> }) {
  await requireSession();
  const { cluster } = await params;
  const entry = (await host().clusters()).find(({ slug }) => slug === cluster);
  if (!entry) return null;
  const view = entry.problem === null ? host().view(entry.slug) : null;
  if (view === null) return <Dashboard entry={entry} view={view} />;
  const findings = host()
    .findings(entry.slug, 'kept')
    .catch(() => null);
  if (await answersSoon(Promise.all([view, findings]), soonMs)) return <Dashboard entry={entry} view={view} />;
  return (
    <Suspense fallback={<DashboardSkeleton name={entry.name} />}>
      <Dashboard entry={entry} view={view} />
    </Suspense>
  );
}
