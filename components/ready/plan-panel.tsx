import Link from 'next/link';
import type { ReactNode } from 'react';
import { usualTime } from '#components/review/plan-summary.ts';
import { trackOfPlan } from '#components/review/track-of-plan.ts';
import { CompactTrackLater } from '#components/track/compact-track-later.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { counted } from '#lib/base/words.ts';
import type { ReadyState, WizardContext } from '#lib/console/wizard/index.ts';
import { isNeeded, type PlannedOperation, stakesOf } from '#lib/plan/index.ts';

import { blockerName } from './ready-words.ts';

/** The plan as a line of track, and in one sentence. Its dry run, and each change, are the review's. */
export function PlanPanel({
  plan,
  state,
  review,
  dryRun,
}: {
  plan: WizardContext['plan'];
  state: ReadyState;
  review: string;
  /** The server's word on the plan, which comes later than the page. */
  dryRun: ReactNode;
}) {
  if (plan.kind === 'none')
    return (
      <Panel title="The plan">
        <p className="px-4 py-3 [overflow-wrap:anywhere]">{plan.problem}</p>
      </Panel>
    );
  const { lead, rest } = sentenceOf(plan.operations);
  return (
    <Panel
      title="The plan"
      aside={
        state.verdict === 'ready' ? (
          dryRun
        ) : state.verdict === 'blocked' ? (
          <StateMark state="idle">{`ready to start once ${blockerName(state.blockers)} ${state.blockers.length > 1 ? 'are' : 'is'} fixed`}</StateMark>
        ) : undefined
      }
    >
      <div className="px-4 pt-3 pb-1">
        <CompactTrackLater steps={trackOfPlan(plan.operations)} />
      </div>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-t border-line px-4 py-3">
        <span>
          <b className="font-semibold">{lead}</b> {rest}
        </span>
        {state.verdict === 'ready' && (
          <Link href={review} prefetch={false} className="no-underline hover:underline">
            All {counted(plan.operations.length, 'step')}
          </Link>
        )}
      </p>
    </Panel>
  );
}

/** `2 of 14 steps touch traffic.` `About 6 minutes. Everything can be undone.` */
function sentenceOf(operations: readonly PlannedOperation[]): { lead: string; rest: string } {
  const plan = { operations: [...operations] };
  const { traffic, oneWay } = stakesOf(plan);
  const steps = counted(operations.length, 'step');
  const isNothing = !operations.some(isNeeded);
  return {
    lead: isNothing
      ? 'Nothing to change.'
      : traffic === 0
        ? `None of ${steps} touches traffic.`
        : `${traffic} of ${steps} ${traffic === 1 ? 'touches' : 'touch'} traffic.`,
    rest: isNothing
      ? ''
      : `About ${usualTime(plan)}. ${oneWay === 0 ? 'Everything can be undone.' : `${oneWay} cannot be undone.`}`,
  };
}
