import { CheckAllAgain } from '#components/compatibility/check-all-again.tsx';
import { RecheckProblem } from '#components/compatibility/recheck-problem.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import type { Failure } from '#lib/console/host.ts';
import { type StepId, stepText } from '#lib/console/wizard/index.ts';
import type { Goal } from '#lib/spec/index.ts';

/** The cluster did not answer: nothing can be proposed or checked, and no answer is lost by that. */
export function Unread({ goal, step, failure }: { goal: Goal; step: StepId; failure: Failure }) {
  return (
    <>
      <PageHead title={stepText(step, goal).question} />
      <RecheckProblem />
      <Notice state="unknown" title="The cluster could not be read." actions={<CheckAllAgain />}>
        <p className="[overflow-wrap:anywhere]">{failure.message}</p>
        <p className="mt-1">Your answers so far are kept; without the cluster nothing can be proposed or checked.</p>
      </Notice>
    </>
  );
}
