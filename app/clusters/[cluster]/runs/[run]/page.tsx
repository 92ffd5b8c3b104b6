import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { Suspense } from 'react';
import { requireSession } from '#app/session.ts';
import { RunMissing } from '#components/run/run-missing.tsx';
import { RunScreen } from '#components/run/run-screen.tsx';
import { UndoSteps } from '#components/run/undo-steps.tsx';
import { upgradeOfPlan } from '#components/run/upgrade/upgrade-of-plan.ts';
import { AcceptedRisks } from '#components/runs/accepted-risks.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { host } from '#lib/console/host.ts';
import { draftPath } from '#lib/console/wizard/index.ts';
import { touchesTraffic } from '#lib/plan/index.ts';

export const metadata: Metadata = { title: 'Run' };

/** A run; answers that have not become one go on at their first unanswered step. */
export default async function RunPage({
  params,
  searchParams,
}: {
  params: Promise<{ cluster: string; run: string }>;
  searchParams: Promise<{ step?: string | string[] }>;
}) {
  await requireSession();
  const [{ cluster, run }, { step }] = await Promise.all([params, searchParams]);
  if (run.startsWith('draft-')) return <OfDraft cluster={cluster} draft={run} />;
  const answer = await host().run(cluster, run);
  if (!answer.ok) return <RunMissing failure={answer} cluster={cluster} run={run} />;
  const { view, report, plan, carriedBy, leaseHolder, us } = answer.value;
  return (
    <RunScreen
      cluster={cluster}
      initial={view}
      startedBy={report.startedBy}
      carriedBy={carriedBy}
      holder={leaseHolder.holder}
      us={us}
      foreign={report.foreign}
      residue={report.residue}
      openedStep={plan.operations.find(({ seq }) => `${seq}` === step)?.seq ?? null}
      traffic={plan.operations.filter(touchesTraffic).map(({ seq }) => seq)}
      upgrade={upgradeOfPlan(plan)}
      renderedAt={Date.now()}
      accepted={<AcceptedRisks risks={report.risks} />}
      undoSteps={
        <Suspense fallback={<Skeleton label="Reading the way back" widths={['w-2/3', 'w-1/2', 'w-2/3']} />}>
          <UndoSteps cluster={cluster} run={run} />
        </Suspense>
      }
    />
  );
}

async function OfDraft({ cluster, draft }: { cluster: string; draft: string }) {
  const answer = await host().draft(cluster, draft);
  if (!answer.ok) return <RunMissing failure={answer} cluster={cluster} run={draft} />;
  const { run } = answer.value;
  redirect(run === null ? draftPath(answer.value) : `/clusters/${cluster}/runs/${run}`);
}
