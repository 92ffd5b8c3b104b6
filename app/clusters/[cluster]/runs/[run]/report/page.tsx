import type { Metadata } from 'next';
import { requireSession } from '#app/session.ts';
import { RunMissing } from '#components/run/run-missing.tsx';
import { ReportPage } from '#components/runs/report-page.tsx';
import { host } from '#lib/console/host.ts';

export const metadata: Metadata = { title: 'Report' };

/** The report of a run. */
export default async function Page({ params }: { params: Promise<{ cluster: string; run: string }> }) {
  await requireSession();
  const { cluster, run } = await params;
  const [answer, traffic] = await Promise.all([host().reportPage(cluster, run), host().trafficSince(cluster, run)]);
  if (!answer.ok) return <RunMissing failure={answer} cluster={cluster} run={run} />;
  return <ReportPage cluster={cluster} {...answer.value} traffic={traffic.ok ? traffic.value : null} />;
}
