import { Suspense } from 'react';
import { PageHead } from '#components/ui/page-head.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { host } from '#lib/console/host.ts';
import { stepText } from '#lib/console/wizard/index.ts';
import { ReviewFailed } from './review-failed.tsx';
import { ReviewedPlan } from './reviewed-plan.tsx';

/** The step `review` of the wizard: the plan of a draft with the server's dry runs, and its start. */
export function ReviewStep({ cluster, draft }: { cluster: string; draft: string }) {
  return (
    <Suspense fallback={<Waiting />}>
      <Reviewed cluster={cluster} draft={draft} />
    </Suspense>
  );
}

async function Reviewed({ cluster, draft }: { cluster: string; draft: string }) {
  const answer = await host().review(cluster, draft, 'kept');
  if (answer.ok) return <ReviewedPlan cluster={cluster} draft={draft} review={answer.value} />;
  return (
    <>
      <PageHead title={stepText('review').question} />
      <ReviewFailed failure={answer} cluster={cluster} draft={draft} />
    </>
  );
}

function Waiting() {
  const what = 'Reading the cluster and trying every change and its way back on the server, without making it.';
  return (
    <>
      <PageHead title={stepText('review').question} sub={what} />
      <Panel>
        {[1, 2, 3].map((each) => (
          <Skeleton key={each} label={what} widths={['w-1/2', 'w-full', 'w-2/3']} />
        ))}
      </Panel>
    </>
  );
}
