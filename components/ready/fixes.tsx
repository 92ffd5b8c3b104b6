import { AcknowledgeForm } from '#components/compatibility/acknowledge-form.tsx';
import { AnswerForms } from '#components/compatibility/answer-forms.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { StateIcon } from '#components/ui/state-mark.tsx';
import { WithCode } from '#components/ui/with-code.tsx';
import type { ReadyFix, StepPlace } from '#lib/console/wizard/index.ts';

/** What the plan fixes on its way. On unless it is left out, with a reason; what the plan needs cannot be left out. */
export function Fixes({ place, revision, fixes }: { place: StepPlace; revision: number; fixes: readonly ReadyFix[] }) {
  if (fixes.length === 0) return null;
  return (
    <Panel title="Fixed by the plan" aside={<span className="text-sm">on unless you leave it out</span>}>
      <ul className="divide-y divide-line text-sm">
        {fixes.map(({ finding, title, seq, canBeLeftOut }) => {
          const isOn = finding.fixedBy !== null;
          return (
            <li key={finding.id} className="grid grid-cols-[14px_minmax(0,1fr)_auto] gap-x-3 px-4 py-[11px]">
              <span className="mt-[2px]">
                <StateIcon state={isOn ? 'ok' : 'idle'} />
              </span>
              <div className="min-w-0">
                <p className="font-semibold [overflow-wrap:anywhere]">{title}</p>
                <div className="mt-0.5 flex flex-wrap items-start gap-x-4 text-ink-2 [&>*:has(details[open])]:w-full">
                  <div>
                    <Disclosure
                      summary={
                        <>
                          Why?<span className="sr-only"> {title}</span>
                        </>
                      }
                    >
                      <p className="[overflow-wrap:anywhere]">{finding.because}</p>
                      <p className="mt-1">
                        <WithCode text={finding.consequence} />
                      </p>
                    </Disclosure>
                  </div>
                  {isOn && canBeLeftOut && (
                    <div>
                      <AcknowledgeForm
                        place={place}
                        revision={revision}
                        name={`leave-out-${finding.id}`}
                        ids={[finding.id]}
                        look="link"
                        title={
                          <>
                            Leave it out…<span className="sr-only"> {title}</span>
                          </>
                        }
                        {...(finding.acceptedBefore === undefined ? {} : { before: finding.acceptedBefore })}
                      />
                    </div>
                  )}
                </div>
                {!isOn && (
                  <div className="mt-2">
                    <AnswerForms place={place} revision={revision} finding={finding} offer={null} />
                  </div>
                )}
              </div>
              <span className="whitespace-nowrap text-ink-3">
                {isOn ? (seq === null ? 'done' : `step ${seq}`) : 'left out'}
              </span>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
