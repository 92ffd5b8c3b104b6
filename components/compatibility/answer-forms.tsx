'use client';

import { useActions } from '#components/actions.tsx';
import { Button } from '#components/ui/button.tsx';
import { useAnsweredAction } from '#components/wizard/use-answered-action.ts';
import type { Finding } from '#lib/checks/index.ts';
import type { HostAnswer } from '#lib/console/host.ts';
import type { FixOffer, StepPlace } from '#lib/console/wizard/index.ts';
import { AcknowledgeForm } from './acknowledge-form.tsx';

/** Forms for a finding: choose its fix, or accept it with a reason. */
export function AnswerForms({
  place,
  revision,
  finding,
  offer,
}: {
  place: StepPlace;
  /** The draft's revision on the page. */
  revision: number;
  finding: Finding;
  offer: FixOffer;
}) {
  const { id, title, status, severity, acknowledged, fixedBy } = finding;
  const canBeAccepted = fixedBy === null && (status === 'unknown' || (status === 'fail' && severity === 'warning'));
  const { acknowledge, fix } = useActions();
  const fixing = useAnsweredAction(fix.bind(null, place));
  const taking = useAnsweredAction(acknowledge.bind(null, place));
  return (
    <>
      {(offer === 'in' || offer === 'out') && (
        <form {...fixing.form}>
          <input type="hidden" name="id" value={id} />
          <input type="hidden" name="plain" value="yes" />
          {offer === 'out' && <input type="hidden" name="take" value="back" />}
          <Button
            type="submit"
            data-key={offer === 'in' ? 'f' : undefined}
            aria-disabled={fixing.isPending || undefined}
          >
            {offer === 'in' ? 'Add to the plan' : 'Take out of the plan'}
            <span className="sr-only">: {title}</span>
          </Button>
          <ActionProblem answer={fixing.answer} />
        </form>
      )}
      {offer === 'leave-out' && (
        <AcknowledgeForm
          place={place}
          revision={revision}
          name={`leave-out-${id}`}
          ids={[id]}
          title="Leave it out…"
          of={title}
          {...(finding.acceptedBefore === undefined ? {} : { before: finding.acceptedBefore })}
        />
      )}
      {acknowledged !== null && (
        <form
          {...taking.form}
          className="flex w-full flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-sunk px-3 py-2"
        >
          <input type="hidden" name="id" value={id} />
          <input type="hidden" name="plain" value="yes" />
          <input type="hidden" name="reason" value="" />
          <input type="hidden" name="take" value="back" />
          <p className="min-w-0 flex-1 [overflow-wrap:anywhere]">
            <span className="text-ink-2">Your reason: </span>
            {acknowledged}
          </p>
          <Button type="submit" aria-disabled={taking.isPending || undefined}>
            Take it back
            <span className="sr-only">: {title}</span>
          </Button>
          <ActionProblem answer={taking.answer} />
        </form>
      )}
      {canBeAccepted && acknowledged === null && (
        <AcknowledgeForm
          place={place}
          revision={revision}
          name={id}
          ids={[id]}
          title={
            finding.acceptedBefore !== undefined
              ? 'Accept this risk again…'
              : status === 'unknown'
                ? 'Accept this risk…'
                : 'Skip, with a reason…'
          }
          of={title}
          before={finding.acceptedBefore}
        />
      )}
    </>
  );
}

/** Why an answer was not recorded; renders nothing if it was. */
function ActionProblem({ answer }: { answer: HostAnswer<unknown> | null }) {
  if (answer === null || answer.ok) return null;
  return (
    <p role="alert" className="mt-1 text-sm font-[560] text-red">
      {answer.message}
    </p>
  );
}
