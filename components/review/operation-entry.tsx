import type { ReactNode } from 'react';
import { Chevron } from '#components/ui/chevron.tsx';
import { CommandBlock } from '#components/ui/code-block.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { capital, duration, thousands } from '#lib/base/words.ts';
import type { PlannedOperation } from '#lib/plan/index.ts';
import { objectsOfStep } from '#lib/run/index.ts';
import { objectId } from '#lib/spec/index.ts';
import { type FlagsByProgram, withClusterFlags } from '#lib/text/index.ts';
import { DiffTables } from './diff-tables.tsx';
import { TrafficMark, WritesMark } from './marks/step-marks.tsx';
import { RulesTable } from './rules-table.tsx';

const previews: Record<PlannedOperation['previewed'], ReactNode> = {
  'dry-run': <StateMark state="ok">dry run on the server</StateMark>,
  computed: 'computed; dry run right before it',
  'nothing-written': '',
};

/** The columns of a review: step, traffic, writes, object, time; stacked on narrow screens. */
export const reviewColumns =
  'grid grid-cols-[1.75rem_minmax(0,1fr)_auto] gap-x-2 px-4 xl:grid-cols-[1.75rem_minmax(0,1.3fr)_9.25rem_7.5rem_minmax(0,1fr)_4.25rem_0.625rem] xl:gap-x-3 min-[100rem]:grid-cols-[1.75rem_minmax(0,1.3fr)_9.25rem_12rem_minmax(0,1fr)_4.25rem_0.625rem]';

/** An operation with all details. `backAt`: its place in the undo, `3rd of 6`; null: none. `flags`: how its commands name the cluster. */
export function OperationEntry({
  operation,
  backAt,
  flags,
}: {
  operation: PlannedOperation;
  backAt: string | null;
  flags: FlagsByProgram;
}) {
  const { seq, id, title, why, diff, previewed, usualSeconds, deadlineSeconds, command, needs, reversible, undo } =
    operation;
  const hasWayBack = undo !== null || !reversible;
  return (
    <li id={`operation-${seq}`}>
      {/* One at a time: two long diffs side by side are never compared with each other. */}
      <details name="review-step" className="group/step open:bg-sunk">
        <summary
          className={`${reviewColumns} min-h-8 list-none items-center py-1.5 text-sm select-none hover:bg-sunk [&::-webkit-details-marker]:hidden`}
        >
          <span className="self-baseline text-right text-ink-3 xl:self-center">{seq}</span>
          <span className="min-w-0 font-[560]">{title}</span>
          <span className="max-xl:order-1 max-xl:col-start-2">
            <TrafficMark operation={operation} />
          </span>
          <span className="max-xl:order-1 max-xl:col-start-2">
            <WritesMark operation={operation} />
          </span>
          <Objects operation={operation} />
          <span className="text-right whitespace-nowrap text-ink-3 max-xl:order-1 max-xl:col-start-3 max-xl:row-start-2">
            {duration(usualSeconds)}
          </span>
          <span className="justify-self-end transition-transform group-open/step:rotate-90 max-xl:col-start-3 max-xl:row-start-1">
            <Chevron />
          </span>
        </summary>
        <div className="flex min-w-0 flex-col gap-3 px-4 pb-4 xl:pl-14">
          <p className="max-w-[96ch] text-ink-2">{why}</p>
          {(diff !== '' || hasWayBack) && (
            <div className="grid min-w-0 items-start gap-4 min-[1100px]:grid-cols-2">
              <DiffTables unified={diff} of={`Step ${seq}`} rehearsed={previews[previewed]} />
              {hasWayBack && <WayBack operation={operation} at={backAt} />}
            </div>
          )}
          <div className="flex flex-wrap items-baseline gap-x-5 gap-y-1 text-sm [&>details[open]]:basis-full">
            {command !== '' && (
              <Disclosure summary={<Of step={seq}>By hand</Of>}>
                <CommandBlock command={withClusterFlags(command, flags)} of={`the command of step ${seq}`} />
              </Disclosure>
            )}
            {undo !== null && undo.command !== '' && (
              <Disclosure summary={<Of step={seq}>Way back by hand</Of>}>
                <CommandBlock
                  command={withClusterFlags(undo.command, flags)}
                  of={`the command of the way back of step ${seq}`}
                />
              </Disclosure>
            )}
            {needs.length > 0 && (
              <Disclosure summary={<Of step={seq}>Permissions</Of>}>
                <RulesTable rules={needs} of={seq} />
              </Disclosure>
            )}
            <span className="text-ink-3">
              <code>{id}</code> · times out after {duration(deadlineSeconds)}, then the run pauses
            </span>
          </div>
        </div>
      </details>
    </li>
  );
}

const mostNamed = 1;

/** The most significant object that a step writes or waits for, and the number of others. */
function Objects({ operation }: { operation: PlannedOperation }) {
  const objects = objectsOfStep(operation);
  const more = objects.length - mostNamed;
  return (
    <span className="min-w-0 text-xs text-ink-2 [overflow-wrap:anywhere] max-xl:order-2 max-xl:col-span-2 max-xl:col-start-2">
      {objects.slice(0, mostNamed).map((ref) => (
        <code key={ref.name} title={objectId(ref)}>
          {ref.resource.kind}/{ref.name}
        </code>
      ))}
      {more > 0 && <span className="whitespace-nowrap text-ink-3"> + {thousands(more)}</span>}
    </span>
  );
}

function WayBack({ operation, at }: { operation: PlannedOperation; at: string | null }) {
  const { undo, reversible, seq } = operation;
  if (!reversible || undo === null)
    return (
      <div className="rounded-md border border-red bg-red-tint px-3 py-2 text-sm">
        <StateMark state="bad">cannot be undone</StateMark>
        <p className="mt-0.5">An undo of the run leaves this change as it is.</p>
      </div>
    );
  return (
    <div className="grid min-w-0 gap-1.5">
      {undo.diff === '' ? (
        <p className="text-sm font-[560] text-ink-2">Way back: {undo.title}</p>
      ) : (
        <DiffTables unified={undo.diff} of={`Way back of step ${seq}`} rehearsed="way back" />
      )}
      <p className="text-sm text-ink-2">
        {undo.diff === '' ? '' : `${undo.title}. `}
        {at === null ? 'Typically' : `${capital(at)}, typically`} {duration(undo.usualSeconds)}
        {undo.deadlineSeconds > 0 ? `, times out after ${duration(undo.deadlineSeconds)}` : ''}.
      </p>
    </div>
  );
}

/** Adds the step's number for screen readers, because several steps have this button. */
function Of({ step, children }: { step: number; children: ReactNode }) {
  return (
    <>
      {children}
      <span className="sr-only">, step {step}</span>
    </>
  );
}
