import Link from 'next/link';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { DisclosureButton } from '#components/ui/disclosure-button.tsx';
import { WithCode } from '#components/ui/with-code.tsx';
import type { Draft } from '#lib/console/host.ts';
import { type FindingInState, fixOffer, type StepPlace, stepPath, stepText } from '#lib/console/wizard/index.ts';
import { AnswerForms } from './answer-forms.tsx';
import { CheckThisAgain } from './check-this-again.tsx';
import { EvidenceTable } from './evidence-table.tsx';
import { FindingStateMark } from './finding-state-mark.tsx';
import { SubjectTable } from './subject-table.tsx';

/**
 * One finding in full: what is, what follows, about what, how one knows, and what can be done. `place`: where answers are kept, in this `draft`;
 * null reads only.
 */
export function FindingCard({
  found: { finding, state },
  place,
  draft,
}: {
  found: FindingInState;
  place: StepPlace | null;
  draft: Draft | null;
}) {
  const { id, title, because, consequence, subjects, evidence, remedy } = finding;
  // There is a button for it.
  const steps = remedy.steps.filter((step) => place === null || step !== 'Check again.');
  const fixIn = place !== null && remedy.fixIn !== undefined && remedy.fixIn !== place.step ? remedy.fixIn : null;
  return (
    <article aria-labelledby={`finding-${id}`} className="border-t border-line px-4 py-3.5 first-of-type:border-t-0">
      <div className="flex items-start justify-between gap-4">
        <h3 id={`finding-${id}`} className="min-w-0 font-semibold [overflow-wrap:anywhere]">
          {title}
        </h3>
        <span className="shrink-0 whitespace-nowrap">
          <FindingStateMark found={{ finding, state }} />
        </span>
      </div>
      <p className="mt-0.5 [overflow-wrap:anywhere]">{because}</p>
      <p className="mt-0.5 text-ink-2">
        <WithCode text={consequence} />
      </p>
      {finding.notMeasured !== null && state !== 'answered' && (
        <p className="mt-0.5 text-ink-2 [overflow-wrap:anywhere]">How it will be measured: {finding.notMeasured}</p>
      )}
      {subjects.length > 0 && <SubjectTable subjects={subjects} />}
      {state !== 'answered' && steps.length > 0 && (
        <ul className="mt-2 list-disc pl-5 text-sm text-ink-2">
          {steps.map((step) => (
            <li key={step}>
              <WithCode text={step} />
            </li>
          ))}
        </ul>
      )}
      {remedy.command !== undefined && state !== 'answered' && (
        <div className="mt-2 flex items-start justify-between gap-2 rounded-md bg-sunk py-1 pr-1 pl-3">
          <div className="min-w-0 py-1.5">
            <CodeBlock label={`Command for: ${title}`}>{remedy.command}</CodeBlock>
          </div>
          <CopyButton text={remedy.command} of="the command" />
        </div>
      )}
      <div className="mt-2.5 flex flex-wrap items-start gap-x-2 gap-y-2">
        {place !== null && draft !== null && (
          <AnswerForms
            place={place}
            revision={draft.revision}
            finding={finding}
            offer={fixOffer(draft.answers, finding)}
          />
        )}
        <CheckThisAgain id={id} title={title} />
        {evidence.length > 0 && (
          <DisclosureButton summary="What was read" of={title}>
            <EvidenceTable evidence={evidence} />
          </DisclosureButton>
        )}
        {fixIn !== null && place !== null && (
          <Link
            href={stepPath(place.cluster, place.draft, fixIn)}
            prefetch={false}
            className="inline-flex min-h-8 items-center px-1"
          >
            Change it in {stepText(fixIn).name}
          </Link>
        )}
      </div>
    </article>
  );
}
