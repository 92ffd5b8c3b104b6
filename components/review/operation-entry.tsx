import type { ReactNode } from 'react';
import { Chevron } from '#components/ui/chevron.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { duration } from '#lib/base/words.ts';
import type { PlannedOperation } from '#lib/plan/index.ts';
import { DiffTables } from './diff-tables.tsx';
import { RulesTable } from './rules-table.tsx';
import { StepMarksOf } from './step-marks.tsx';

const previews: Record<PlannedOperation['previewed'], string> = {
  'dry-run': 'dry run on the server',
  computed: 'computed; dry-run right before the act',
  'nothing-written': 'nothing to dry-run',
};

/** One operation with everything that a reviewer may ask of it. `backAt`: its place on the way back, `3rd of 6`; null when there is none. */
export function OperationEntry({ operation, backAt }: { operation: PlannedOperation; backAt: string | null }) {
  const { seq, id, title, why, diff, previewed, usualSeconds, deadlineSeconds, command, needs } = operation;
  return (
    <li id={`operation-${seq}`}>
      {/* One at a time: two long diffs side by side are never compared with each other. */}
      <details name="review-step" className="group/step open:bg-sunk">
        <summary className="grid min-h-8 list-none grid-cols-[1.75rem_minmax(0,1fr)_auto] items-baseline gap-x-2 px-4 py-1.5 select-none hover:bg-sunk max-sm:grid-cols-[1.75rem_minmax(0,1fr)] [&::-webkit-details-marker]:hidden">
          <span className="text-right text-sm text-ink-3">{seq}</span>
          <span className="min-w-0 text-sm font-[560]">{title}</span>
          <span className="flex items-baseline gap-x-4 text-sm max-sm:col-start-2">
            <StepMarksOf operation={operation} />
            <span className="min-w-16 text-right whitespace-nowrap text-ink-3">{duration(usualSeconds)}</span>
            <span className="self-center transition-transform group-open/step:rotate-90">
              <Chevron />
            </span>
          </span>
        </summary>
        <div className="flex min-w-0 flex-col gap-2 px-4 pb-4 sm:pl-13">
          <p className="max-w-[88ch] text-ink-2">{why}</p>
          <p className="text-sm text-ink-3">
            <code>{id}</code> · {previews[previewed]} · typically {duration(usualSeconds)}, times out after{' '}
            {duration(deadlineSeconds)}
          </p>
          <DiffTables unified={diff} of={`Step ${seq}`} />
          <div className="flex flex-wrap gap-x-5 [&>details[open]]:basis-full">
            <WayBack operation={operation} at={backAt} />
            {command !== '' && (
              <Disclosure summary={<Of step={seq}>By hand</Of>}>
                <CommandBlock command={command} of={`the command of step ${seq}`} />
              </Disclosure>
            )}
            {needs.length > 0 && (
              <Disclosure summary={<Of step={seq}>Permissions</Of>}>
                <RulesTable rules={needs} of={seq} />
              </Disclosure>
            )}
          </div>
        </div>
      </details>
    </li>
  );
}

function WayBack({ operation, at }: { operation: PlannedOperation; at: string | null }) {
  const { undo, reversible, seq } = operation;
  if (!reversible) return <StateMark state="bad">cannot be undone</StateMark>;
  if (undo === null) return null;
  return (
    <Disclosure summary={<Of step={seq}>Way back: {undo.title}</Of>}>
      <div className="flex flex-col gap-2">
        <p className="text-sm text-ink-3">
          {at === null ? 'Usually' : `${at}; usually`} {duration(undo.usualSeconds)}
          {undo.deadlineSeconds > 0 ? `, pauses after ${duration(undo.deadlineSeconds)}` : ''}
        </p>
        <DiffTables unified={undo.diff} of={`Way back of step ${seq}`} />
        {undo.command !== '' && (
          <CommandBlock command={undo.command} of={`the command of the way back of step ${seq}`} />
        )}
      </div>
    </Disclosure>
  );
}

/** Several steps have a button of that name: who hears it alone is told of which. */
function Of({ step, children }: { step: number; children: ReactNode }) {
  return (
    <>
      {children}
      <span className="sr-only">, step {step}</span>
    </>
  );
}

/** The line that does the same, to read and to take along. */
function CommandBlock({ command, of }: { command: string; of: string }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1 rounded-md border border-line bg-sunk py-1 pr-1 pl-3">
      <div className="min-w-0 flex-1 basis-64 py-1.5">
        <CodeBlock label={of}>{command}</CodeBlock>
      </div>
      <CopyButton text={command} of={of} />
    </div>
  );
}
