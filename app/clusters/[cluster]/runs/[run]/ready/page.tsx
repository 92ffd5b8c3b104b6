import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { requireSession } from '#app/session.ts';
import { CheckAllAgain } from '#components/compatibility/check-all-again.tsx';
import { RecheckProvider } from '#components/compatibility/recheck.tsx';
import { RecheckProblem } from '#components/compatibility/recheck-problem.tsx';
import { runPath } from '#components/frame/paths.ts';
import { Ready } from '#components/ready/ready.tsx';
import { ReadyWaiting } from '#components/ready/ready-waiting.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { DraftGone } from '#components/wizard/draft-gone.tsx';
import { RefusedAnswer } from '#components/wizard/refused-answer.tsx';
import { wizardContext } from '#components/wizard/wizard-context.ts';
import { host } from '#lib/console/host.ts';
import { draftPath, hasReadyPage } from '#lib/console/wizard/index.ts';
import { checkAgain } from '../[step]/actions.ts';

export const metadata: Metadata = { title: 'Ready' };

type Params = {
  params: Promise<{ cluster: string; run: string }>;
  searchParams: Promise<{ refused?: string | string[] }>;
};

/** The first page of a draft with accepted proposals, for goals with questions. */
export default async function ReadyPage({ params, searchParams }: Params) {
  await requireSession();
  const { cluster, run: id } = await params;
  const answer = await host().draft(cluster, id);
  if (!answer.ok) return <DraftGone cluster={cluster} failure={answer} />;
  const draft = answer.value;
  if (draft.run !== null) redirect(runPath(cluster, draft.run));
  if (!hasReadyPage(draft.answers)) redirect(draftPath(draft));
  const assessing = host().assess(cluster, id, 'kept');
  const isDocument = (await headers()).get('sec-fetch-dest') === 'document';
  const assessed = isDocument
    ? await Promise.race([assessing, new Promise<null>((resolve) => setTimeout(resolve, shortWaitMs, null))])
    : await assessing;
  if (assessed === null) {
    const entry = (await host().clusters()).find(({ slug }) => slug === cluster);
    return <ReadyWaiting name={entry?.name ?? cluster} />;
  }
  const again = checkAgain.bind(null, { cluster, draft: id, step: 'compatibility' as const, from: 'ready' as const });
  if (assessed.ok) {
    const preflight = await host().preflight(cluster, id);
    const context = wizardContext(draft, assessed.value);
    return (
      <>
        <RefusedAnswer code={(await searchParams).refused} />
        <Ready context={context} preflight={preflight.ok ? preflight.value : null} again={again} />
      </>
    );
  }
  return (
    <RecheckProvider again={again}>
      <PageHead title="Not ready" />
      <RecheckProblem />
      <Notice state="unknown" title="The cluster could not be read." actions={<CheckAllAgain />}>
        <p className="[overflow-wrap:anywhere]">{assessed.message}</p>
      </Notice>
    </RecheckProvider>
  );
}
const shortWaitMs = 400;
