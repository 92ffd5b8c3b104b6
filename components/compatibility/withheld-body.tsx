import { CodeBlock } from '#components/ui/code-block.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import type { WithheldTogether } from '#lib/checks/index.ts';
import { type StepPlace, sharedBefore } from '#lib/console/wizard/index.ts';
import { AcknowledgeForm } from './acknowledge-form.tsx';

/** The remedy for findings that only lack permissions or kinds. `place` and `revision`: where a reason for all is saved; null: read-only. */
export function WithheldBody({
  of: { findings, because, steps, allRules, command },
  place,
  revision,
}: {
  of: WithheldTogether;
  place: StepPlace | null;
  revision: number | null;
}) {
  const before = sharedBefore(findings);
  return (
    <div className="flex flex-col gap-2 px-4 py-3 text-sm">
      <p className="max-w-[100ch] [overflow-wrap:anywhere]">{because}</p>
      {steps.map((step) => (
        <p key={step} className="text-ink-2 [overflow-wrap:anywhere]">
          {step}
        </p>
      ))}
      {command !== null && (
        <div className="flex items-start justify-between gap-2 rounded-md border border-line bg-sheet py-1 pr-1 pl-3">
          <div className="max-h-60 min-w-0 flex-1 overflow-y-auto py-1.5">
            <CodeBlock label="Command for all that was refused">{command}</CodeBlock>
          </div>
          <CopyButton text={command} of="the command for all that was refused" />
        </div>
      )}
      {allRules !== null && (
        <p className="text-ink-3">
          <code>{allRules}</code> prints every rule of the goal, for reading and for the run.
        </p>
      )}
      {place !== null && revision !== null && (
        <div>
          <AcknowledgeForm
            place={place}
            revision={revision}
            name="withheld"
            ids={findings.map(({ id }) => id)}
            title={`Accept all ${findings.length} that were not read…`}
            {...(before === undefined ? {} : { before })}
          />
        </div>
      )}
    </div>
  );
}
