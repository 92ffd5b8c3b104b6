import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { requireSession } from '#app/session.ts';
import { runPath } from '#components/frame/paths.ts';
import { DraftGone } from '#components/wizard/draft-gone.tsx';
import { RefusedAnswer } from '#components/wizard/refused-answer.tsx';
import { Wizard } from '#components/wizard/wizard.tsx';
import { WizardWaiting } from '#components/wizard/wizard-waiting.tsx';
import { type Assessment, type HostAnswer, host } from '#lib/console/host.ts';
import { stepOf, stepPath, stepText } from '#lib/console/wizard/index.ts';
import { checkAgain } from './actions.ts';

type Params = {
  params: Promise<{ cluster: string; run: string; step: string }>;
  searchParams: Promise<{ from?: string | string[]; refused?: string | string[] }>;
};

export async function generateMetadata({ params }: Pick<Params, 'params'>): Promise<Metadata> {
  const step = stepOf((await params).step);
  return { title: step === null ? 'No such step' : stepText(step).name };
}

/** A step of the wizard. `run` in the URL is a draft until it was started. */
export default async function Page({ params, searchParams }: Params) {
  await requireSession();
  const { cluster, run: id, step: text } = await params;
  const step = stepOf(text);
  if (step === null) notFound();
  const answer = await host().draft(cluster, id);
  if (!answer.ok) return <DraftGone cluster={cluster} failure={answer} />;
  const draft = answer.value;
  // An old URL or bookmark of a draft that became a run: redirect to the run's page.
  if (draft.run !== null && (await isDocument())) redirect(runPath(cluster, draft.run));
  if (step === 'run') redirect(draft.run === null ? stepPath(cluster, id, 'review') : runPath(cluster, draft.run));
  const assessing = host().assess(cluster, id, 'kept');
  const [soon, clusters] = await Promise.all([(await isDocument()) ? soonOf(assessing) : assessing, host().clusters()]);
  if (soon === null) return <WizardWaiting draft={draft} step={step} />;
  const preflight = step === 'compatibility' && soon.ok ? await host().preflight(cluster, id) : null;
  const entry = clusters.find(({ slug }) => slug === cluster);
  const { from, refused } = await searchParams;
  return (
    <>
      <RefusedAnswer code={refused} />
      <Wizard
        draft={draft}
        step={step}
        from={from === 'ready' ? 'ready' : undefined}
        assessed={soon}
        preflight={preflight?.ok ? preflight.value : null}
        cluster={entry}
        again={checkAgain.bind(null, { cluster: draft.cluster, draft: draft.id, step })}
      />
    </>
  );
}

/**
 * Whether the browser loads a page, as opposed to the router fetching data; only then the page shows that the cluster is being read. A Suspense boundary cannot do
 * this: without script its content stays hidden, and a form would be remounted.
 */
async function isDocument(): Promise<boolean> {
  return (await headers()).get('sec-fetch-dest') === 'document';
}

function soonOf(assessing: Promise<HostAnswer<Assessment>>): Promise<HostAnswer<Assessment> | null> {
  return Promise.race([assessing, new Promise<null>((resolve) => setTimeout(resolve, shortWaitMs, null))]);
}
const shortWaitMs = 400;
