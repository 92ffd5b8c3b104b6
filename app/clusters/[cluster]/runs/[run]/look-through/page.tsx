import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { requireSession } from '#app/session.ts';
import { LookThrough } from '#components/run/requests/look-through.tsx';
import { RunMissing } from '#components/run/run-missing.tsx';
import { host } from '#lib/console/host.ts';

export const metadata: Metadata = { title: 'Run of another installation' };

/** What resuming or undoing a foreign run would do, shown like a new plan before anything is done. */
export default async function Page({
  params,
  searchParams,
}: {
  params: Promise<{ cluster: string; run: string }>;
  searchParams: Promise<{ to?: string | string[] }>;
}) {
  await requireSession();
  const { cluster, run } = await params;
  const wanted = (await searchParams).to === 'undo' ? 'undo' : 'resume';
  const answer = await host().lookThrough(cluster, run, wanted);
  if (!answer.ok && answer.code === 'run.own') redirect(`/clusters/${cluster}/runs/${run}`);
  if (!answer.ok) return <RunMissing failure={answer} cluster={cluster} run={run} />;
  return <LookThrough cluster={cluster} found={answer.value} />;
}
