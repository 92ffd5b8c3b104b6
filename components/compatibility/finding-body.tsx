import { CommandBlock } from '#components/ui/code-block.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { DisclosureButton } from '#components/ui/disclosure-button.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { RelativeTime } from '#components/ui/time/relative-time.tsx';
import { WithCode } from '#components/ui/with-code.tsx';
import { ChangeLink } from '#components/wizard/change-link.tsx';
import { isBlocking } from '#lib/checks/index.ts';
import type { Draft } from '#lib/console/host.ts';
import { type FindingInState, fixOffer, type StepPlace } from '#lib/console/wizard/index.ts';
import { AnswerForms } from './answer-forms.tsx';
import { CheckThisAgain } from './check-this-again.tsx';
import { EvidenceTable } from './evidence-table.tsx';
import { SubjectTable, tellsAll } from './subject-table.tsx';

/**
 * The body of a finding: sentence, subjects, consequence, evidence and remedy. `place` and `draft`: where answers are saved; null: read-only.
 */
export function FindingBody({
  found: { finding, state },
  place,
  draft,
}: {
  found: FindingInState;
  place: StepPlace | null;
  draft: Draft | null;
}) {
  const { id, title, because, consequence, subjects, evidence, remedy, status, verifiedBy } = finding;
  const isOpen = (status === 'fail' || status === 'unknown') && state !== 'answered' && state !== 'waiting';
  // The page has a button for this step.
  const steps = isOpen ? remedy.steps.filter((step) => step !== 'Check again.') : [];
  const command = isOpen ? remedy.command : undefined;
  const fixIn = place !== null && remedy.fixIn !== undefined && remedy.fixIn !== place.step ? remedy.fixIn : null;
  return (
    <div className="grid gap-x-6 gap-y-2.5 @[760px]:grid-cols-2">
      <div className="min-w-0">
        <p className="[overflow-wrap:anywhere]">{because}</p>
        {verifiedBy !== undefined && (
          <p className="mt-1 [overflow-wrap:anywhere]">
            <StateMark state={verifiedBy.stale === null ? 'ok' : 'unknown'}>
              {verifiedBy.because} {verifiedBy.stale} (<RelativeTime at={verifiedBy.at} />)
            </StateMark>
          </p>
        )}
        {subjects.length > 0 && !tellsAll(because, subjects) && <SubjectTable subjects={subjects} />}
        {isOpen && (
          <div className="mt-1.5 text-sm">
            <Disclosure
              summary={
                <>
                  Why?<span className="sr-only"> {title}</span>
                </>
              }
            >
              <p className="text-ink-2">
                <WithCode text={consequence} />
              </p>
              {finding.notMeasured !== null && (
                <p className="mt-1 text-ink-2 [overflow-wrap:anywhere]">Measured by: {finding.notMeasured}</p>
              )}
              {remedy.details?.map((detail) => (
                <p key={detail} className="mt-1 text-ink-2 [overflow-wrap:anywhere]">
                  <WithCode text={detail} />
                </p>
              ))}
            </Disclosure>
          </div>
        )}
      </div>
      <div className="min-w-0">
        {steps.length > 0 && (
          <ul className="list-disc pl-5 text-sm text-ink-2">
            {steps.map((step) => (
              <li key={step} className="[overflow-wrap:anywhere]">
                <WithCode text={step} />
              </li>
            ))}
          </ul>
        )}
        {command !== undefined && (
          <div className="mt-2">
            <CommandBlock command={command} of={`the command for: ${title}`} />
          </div>
        )}
        {isOpen && isBlocking(finding) && remedy.autofix === undefined && (
          <p className="mt-2 text-sm text-ink-2">It cannot be accepted: the plan starts once this is fixed.</p>
        )}
        <div className="mt-2.5 flex flex-wrap items-start gap-x-2 gap-y-2 first:mt-0">
          {place !== null && draft !== null && (
            <AnswerForms
              place={place}
              revision={draft.revision}
              finding={finding}
              offer={fixOffer(draft.answers, finding)}
            />
          )}
          {isOpen && <CheckThisAgain id={id} title={title} />}
          {evidence.length > 0 && (
            <DisclosureButton summary="What was read" of={title}>
              <EvidenceTable evidence={evidence} />
            </DisclosureButton>
          )}
          {fixIn !== null && place !== null && <ChangeLink place={place} step={fixIn} />}
        </div>
      </div>
    </div>
  );
}
