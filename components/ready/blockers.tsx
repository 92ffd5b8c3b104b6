import Link from 'next/link';
import { Fragment } from 'react';
import { CheckAllAgain } from '#components/compatibility/check-all-again.tsx';
import { EvidenceTable } from '#components/compatibility/evidence-table.tsx';
import { SubjectTable, tellsAll } from '#components/compatibility/subject-table.tsx';
import { CommandBlock } from '#components/ui/code-block.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { StateIcon } from '#components/ui/state-mark.tsx';
import { WithCode } from '#components/ui/with-code.tsx';
import { ChangeLink } from '#components/wizard/change-link.tsx';
import { counted } from '#lib/base/words.ts';
import type { Finding } from '#lib/checks/index.ts';
import { changePath, type StepPlace, stepText } from '#lib/console/wizard/index.ts';
import { partsOfStep } from './parts-of-step.ts';
import { blockerName } from './ready-words.ts';

const mostShown = 3;

/** Steps that have room side by side. */
const mostColumns = 3;

/** The findings that block the plan, worst first, each with its remedies. Of many, the first ones, and a link to all of them with their number. */
export function Blockers({ place, blockers }: { place: StepPlace; blockers: readonly Finding[] }) {
  if (blockers.length === 0) return null;
  const more = blockers.length - mostShown;
  return (
    <>
      {blockers.slice(0, mostShown).map((finding, index) => (
        <Blocker
          key={finding.id}
          place={place}
          finding={finding}
          again={index === 0 ? `Check ${blockerName(blockers)} again` : null}
        />
      ))}
      {more > 0 && (
        <p>
          <Link href={changePath(place.cluster, place.draft, 'compatibility')} prefetch={false}>
            {counted(more, 'more finding')} in {stepText('compatibility').name}
          </Link>
        </p>
      )}
    </>
  );
}

/** A step of the remedy: its sentences, and under each the command that it names, to be copied. */
function WayOut({ step, of }: { step: string; of: string }) {
  return (
    <div className="grid grid-cols-1 gap-1.5">
      {partsOfStep(step).map(({ text, command }) => (
        <Fragment key={`${text} ${command}`}>
          {text !== '' && (
            <p>
              <WithCode text={text} />
            </p>
          )}
          {command !== null && <CommandBlock command={command} of={`the command “${command}” for: ${of}`} on="sheet" />}
        </Fragment>
      ))}
    </div>
  );
}

function Blocker({ place, finding, again }: { place: StepPlace; finding: Finding; again: string | null }) {
  const { id, because, consequence, subjects, evidence, remedy, title } = finding;
  const steps = remedy.steps.filter((step) => step !== 'Check again.');
  const { fixIn } = remedy;
  return (
    <section
      aria-labelledby={`blocker-${id}`}
      className="min-w-0 overflow-hidden rounded-md border border-red bg-sheet"
    >
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3 bg-red-tint px-4 py-3.5">
        <div className="flex min-w-0 flex-1 basis-72 gap-3">
          <span className="mt-1">
            <StateIcon state="bad" />
          </span>
          <div className="min-w-0">
            <h2 id={`blocker-${id}`} className="text-lg font-semibold text-red [overflow-wrap:anywhere]">
              {because}
            </h2>
            <p className="mt-0.5 max-w-[84ch]">
              <WithCode text={consequence} />
            </p>
          </div>
        </div>
        {again !== null && <CheckAllAgain kind="primary" words={again} />}
      </div>
      {steps.length > 0 && (
        <ol
          className={`grid divide-line text-sm ${steps.length <= mostColumns ? 'max-md:divide-y md:auto-cols-fr md:grid-flow-col md:divide-x' : 'divide-y'}`}
        >
          {steps.map((step) => (
            <li key={step} className="min-w-0 px-4 py-3 [overflow-wrap:anywhere]">
              <WayOut step={step} of={title} />
            </li>
          ))}
        </ol>
      )}
      <div className="grid gap-3 px-4 pt-1 pb-3 text-sm">
        {remedy.command !== undefined && (
          <CommandBlock command={remedy.command} of={`the command for: ${title}`} on="sheet" />
        )}
        <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
          {fixIn !== undefined && fixIn !== 'compatibility' && <ChangeLink place={place} step={fixIn} />}
          {subjects.length > 0 && !tellsAll(because, subjects) && (
            <Disclosure summary={counted(subjects.length, 'object')}>
              <SubjectTable subjects={subjects} />
            </Disclosure>
          )}
          {evidence.length > 0 && (
            <Disclosure summary="What was read">
              <EvidenceTable evidence={evidence} />
            </Disclosure>
          )}
        </div>
      </div>
    </section>
  );
}
