import type { Metadata } from 'next';
import { notFound, redirect } from 'next/navigation';
import { Suspense } from 'react';
import { requireSession } from '#app/session.ts';
import { runPath } from '#components/frame/paths.ts';
import { DraftGone } from '#components/wizard/draft-gone.tsx';
import { Wizard } from '#components/wizard/wizard.tsx';
import { WizardWaiting } from '#components/wizard/wizard-waiting.tsx';
import { type Answer, type Assessment, host } from '#lib/console/host.ts';
import { stepOf, stepPath, stepText } from '#lib/console/wizard/index.ts';

type Params = { params: Promise<{ cluster: string; run: string; step: string }> };

export async function generateMetadata({ params }: Params): Promise<Metadata> {
  const step = stepOf((await params).step);
  return { title: step === null ? 'No such step' : stepText(step).name };
}

/** One step of the wizard. `run` in the address is a draft until its answers have become a run. */
export default async function Page({ params }: Params) {
  await requireSession();
  const { cluster, run: id, step: text } = await params;
  const step = stepOf(text);
  if (step === null) notFound();
  const answer = await host().draft(cluster, id);
  if (!answer.ok) return <DraftGone cluster={cluster} failure={answer} />;
  const draft = answer.value;
  if (step === 'run') redirect(draft.run === null ? stepPath(cluster, id, 'review') : runPath(cluster, draft.run));
  const assessing = host().assess(cluster, id, 'kept');
  const [soon, clusters] = await Promise.all([Promise.race([assessing, afterAWhile()]), host().clusters()]);
  const entry = clusters.find(({ slug }) => slug === cluster);
  return (
    <Suspense fallback={<WizardWaiting draft={draft} step={step} />}>
      {soon === null ? (
        <Later draft={draft} step={step} assessing={assessing} cluster={entry} />
      ) : (
        <Wizard draft={draft} step={step} assessed={soon} cluster={entry} />
      )}
    </Suspense>
  );
}

type LaterProps = Omit<Parameters<typeof Wizard>[0], 'assessed'> & { assessing: Promise<Answer<Assessment>> };

async function Later({ assessing, ...rest }: LaterProps) {
  return <Wizard {...rest} assessed={await assessing} />;
}

/** What was read a moment ago comes with the page itself, so that it needs no script; a first reading is waited for in sight. */
function afterAWhile(): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, shortWaitMs, null));
}
const shortWaitMs = 400;
