import Link from 'next/link';
import { CheckAllAgain } from '#components/compatibility/check-all-again.tsx';
import { RecheckProvider } from '#components/compatibility/recheck.tsx';
import { RecheckProblem } from '#components/compatibility/recheck-problem.tsx';
import { ReviewStep } from '#components/review/review-step.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import type { Assessment, ClusterEntry, Draft, Failure, HostAnswer, PreflightState } from '#lib/console/host.ts';
import {
  commandPreview,
  hasReadyPage,
  isFormStep,
  readyPath,
  type StepId,
  type StepPlace,
  stepStates,
  stepText,
} from '#lib/console/wizard/index.ts';
import type { Goal } from '#lib/spec/index.ts';
import { CommandPreview } from './command-preview.tsx';
import { StepFocus } from './step/step-focus.tsx';
import { StepHelp } from './step/step-help.tsx';
import { StepList } from './step/step-list.tsx';
import { StepQuestion } from './step/step-question.tsx';
import { TypedTroubleProvider } from './step/typed-trouble.tsx';
import { wizardContext } from './wizard-context.ts';
import { WizardFrame } from './wizard-frame.tsx';

/** A step in its frame, from saved answers and facts. */
export function Wizard({
  draft,
  step,
  from,
  assessed,
  preflight,
  cluster,
  again,
}: {
  draft: Draft;
  step: StepId;
  /** The page to return to. */
  from: StepPlace['from'];
  assessed: HostAnswer<Assessment>;
  /** Null on other steps than *Compatibility*, and if the test of the nodes could not be prepared. */
  preflight: PreflightState | null;
  cluster: ClusterEntry | undefined;
  /** Reads the cluster again. */
  again: () => Promise<HostAnswer<null>>;
}) {
  const context = assessed.ok ? wizardContext(draft, assessed.value) : null;
  const states = stepStates(draft, context, 'the cluster does not answer.');
  const isForm = isFormStep(step);
  // The review needs the whole width.
  if (context !== null && !isForm)
    return (
      <>
        <StepFocus step={step} />
        <ReviewStep cluster={draft.cluster} draft={draft.id} />
      </>
    );
  return (
    <RecheckProvider again={again}>
      <StepFocus step={step} />
      <TypedTroubleProvider>
        <WizardFrame
          steps={
            <>
              {hasReadyPage(draft.answers) && (
                <Link
                  href={readyPath(draft.cluster, draft.id)}
                  prefetch={false}
                  className="mb-1 inline-flex min-h-8 items-center px-2 text-sm no-underline hover:underline"
                >
                  All on one page
                </Link>
              )}
              <StepList states={states} current={step} cluster={draft.cluster} draft={draft.id} />
              <StepHelp step={step} />
            </>
          }
          preview={
            isForm && context && cluster ? <CommandPreview preview={commandPreview(context, step)} step={step} /> : null
          }
        >
          {!assessed.ok && <Unread goal={draft.answers.goal} step={step} failure={assessed} />}
          {context !== null && isForm && (
            <StepQuestion key={step} context={context} preflight={preflight} step={step} from={from} states={states} />
          )}
        </WizardFrame>
      </TypedTroubleProvider>
    </RecheckProvider>
  );
}

/** Shown if the cluster did not answer: nothing can be proposed or checked; saved answers stay. */
function Unread({ goal, step, failure }: { goal: Goal; step: StepId; failure: Failure }) {
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
