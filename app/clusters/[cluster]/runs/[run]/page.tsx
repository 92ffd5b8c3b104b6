import { setTimeout } from 'node:timers/promises';
import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { Suspense } from 'react';
import { requireSession } from '#app/session.ts';
import { RunMissing } from '#components/run/run-missing.tsx';
import { RunScreen } from '#components/run/run-screen.tsx';
import type { FirstReading } from '#components/run/steps/use-step-inside.ts';
import { UndoSteps } from '#components/run/undo-steps.tsx';
import { upgradeOfPlan } from '#components/run/upgrade/upgrade-of-plan.ts';
import { AcceptedRisks } from '#components/runs/accepted-risks.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { type HostAnswer, host } from '#lib/console/host.ts';
import { draftPath, flagsOfEntry } from '#lib/console/wizard/index.ts';
import { touchesTraffic } from '#lib/plan/index.ts';
import { noFlags, withClusterFlags } from '#lib/text/index.ts';

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
  const [answer, inside, clusters] = await Promise.all([
    host().run(cluster, run),
    insideSoon(cluster, run, step),
    host().clusters(),
  ]);
  if (!answer.ok) return <RunMissing failure={answer} cluster={cluster} run={run} />;
  const { view, report, plan, carriedBy, leaseHolder, us } = answer.value;
  const upgrade = upgradeOfPlan(plan);
  const entry = clusters.find(({ slug }) => slug === cluster);
  const opened = plan.operations.find(({ seq }) => `${seq}` === step);
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
      kubectl={withClusterFlags('kubectl', entry ? flagsOfEntry(entry) : noFlags)}
      openedStep={opened === undefined ? null : { seq: opened.seq, inside }}
      traffic={plan.operations.filter(touchesTraffic).map(({ seq }) => seq)}
      upgrade={upgrade && { ...upgrade, workloads: await soon(host().workloads(cluster)) }}
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

/** The page waits this long for what a look at the cluster tells: what came later would push away what is below. */
const patienceMs = 1_000;

/** The answer, if it comes in time; null where the cluster is slow or refuses: the browser then asks again, and shows why. */
async function soon<T>(asked: Promise<HostAnswer<T>>): Promise<T | null> {
  const late = new AbortController();
  const answer = await Promise.race([asked, setTimeout(patienceMs, null, { signal: late.signal })]).finally(() =>
    late.abort(),
  );
  return answer?.ok ? answer.value : null;
}

/** The step that the address opens, from inside. */
async function insideSoon(cluster: string, run: string, step: unknown): Promise<FirstReading | null> {
  if (typeof step !== 'string' || !/^[1-9]\d{0,3}$/.test(step)) return null;
  const value = await soon(host().insideStep(cluster, run, Number(step)));
  return value && { value, at: Date.now() };
}

async function OfDraft({ cluster, draft }: { cluster: string; draft: string }) {
  const answer = await host().draft(cluster, draft);
  if (!answer.ok) return <RunMissing failure={answer} cluster={cluster} run={draft} />;
  const { run } = answer.value;
  redirect(run === null ? draftPath(answer.value) : `/clusters/${cluster}/runs/${run}`);
}
