'use client';

import { type ReactNode, useEffect, useRef } from 'react';
import { DiffTables } from '#components/review/diff-tables.tsx';
import { Button } from '#components/ui/button.tsx';
import { CodeBlock, CommandBlock } from '#components/ui/code-block.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { type State, StateIcon, StateMark } from '#components/ui/state-mark.tsx';
import { TableBox, tableAsBlocks } from '#components/ui/table-box.tsx';
import { ClockTime } from '#components/ui/time/clock-time.tsx';
import { counted } from '#lib/base/words.ts';
import type { RunLine } from '#lib/console/wire.ts';
import type { StepInside as Inside } from '#lib/run/index.ts';
import { type FirstReading, useStepInside } from './use-step-inside.ts';

type Objects = Inside['objects'];

/** A step as the cluster shows it: its objects, its change, their Events, and the ends of the logs of the pods that it waits for. */
export function StepInside({
  cluster,
  run,
  line,
  first,
}: {
  cluster: string;
  run: string;
  line: RunLine;
  first: FirstReading | null;
}) {
  const { inside, failed, isReading, again, isFollowed, follow } = useStepInside(
    { cluster, run, seq: line.seq, state: line.state },
    first,
  );
  const of = `Step ${line.seq}`;
  return (
    <div className="flex min-w-0 flex-col gap-3 text-sm">
      {failed !== null && (
        <p role="alert" className="text-red">
          {failed}
        </p>
      )}
      {/* About as high as the content that follows, so that the steps below stay in place. */}
      {inside === null && failed === null && <p className="min-h-60 text-ink-3">Reading the cluster…</p>}
      {inside !== null && <Shown inside={inside.value} of={of} />}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button
          onClick={again}
          aria-disabled={isReading}
          aria-label={`Read step ${line.seq} again`}
          className="min-w-25"
        >
          {isReading && !isFollowed ? 'Reading…' : 'Read again'}
        </Button>
        {(line.state === 'begun' || line.state === 'undoing') && (
          <Button onClick={() => follow(!isFollowed)} aria-pressed={isFollowed} aria-label={`Follow step ${line.seq}`}>
            {isFollowed ? 'Following' : 'Follow'}
          </Button>
        )}
        {inside !== null && (
          <span className="text-ink-3">
            Read at <ClockTime at={new Date(inside.at).toISOString()} />
          </span>
        )}
      </div>
    </div>
  );
}

function Shown({ inside, of }: { inside: Inside; of: string }) {
  const { why, objects, moreObjects, diff, events, pods, notRead, command } = inside;
  return (
    <>
      <p className="max-w-[88ch] text-ink-2">{why}</p>
      <div className={`grid min-w-0 gap-3 ${objects.length > 0 && diff !== '' ? 'min-[1100px]:grid-cols-2' : ''}`}>
        {objects.length > 0 && (
          <Part title="Objects now">
            <ObjectTable objects={objects} label={`${of}: objects`} />
            {moreObjects > 0 && <p className="mt-1 text-ink-3">{counted(moreObjects, 'more object')} not listed.</p>}
          </Part>
        )}
        {diff !== '' && (
          <Part title="Change">
            <DiffTables unified={diff} of={of} />
          </Part>
        )}
      </div>
      {pods.map((pod) => (
        <Pod key={`${pod.namespace}/${pod.pod}`} pod={pod} />
      ))}
      {events.length > 0 && (
        <Part title="Events since the start">
          <ul className="divide-y divide-line rounded-md border border-line bg-sheet" aria-label={`${of}: events`}>
            {events.map(({ at, object, isWarning, reason, message }, index) => (
              <li
                // biome-ignore lint/suspicious/noArrayIndexKey: two events may be the same but for their place.
                key={index}
                className="grid grid-cols-[4.25rem_1rem_minmax(0,1fr)] gap-x-1.5 px-3 py-1.5"
              >
                <span className="text-ink-3">
                  <ClockTime at={at} />
                </span>
                <span className="pt-0.5">
                  <StateIcon state={isWarning ? 'warn' : 'idle'} />
                  <span className="sr-only">{isWarning ? 'warning' : ''}</span>
                </span>
                <span className="min-w-0 [overflow-wrap:anywhere]">
                  <code>{object}</code> {reason}: {message}
                </span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {notRead.length > 0 && (
        <ul aria-label={`${of}: not read`}>
          {notRead.map((sentence) => (
            <li key={sentence}>
              <StateMark state="unknown">
                <span className="font-normal [overflow-wrap:anywhere]">Not read: {sentence}</span>
              </StateMark>
            </li>
          ))}
        </ul>
      )}
      {command !== '' && (
        <Disclosure summary={`By hand, step ${inside.seq}`}>
          <CommandBlock command={command} of={`the command of step ${inside.seq}`} />
        </Disclosure>
      )}
    </>
  );
}

function Part({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <p className="mb-1 font-[560] text-ink-2">{title}</p>
      {children}
    </div>
  );
}

function ObjectTable({ objects, label }: { objects: Objects; label: string }) {
  return (
    <TableBox label={label} className="rounded-md border border-line bg-sheet">
      <table className={tableAsBlocks}>
        <thead className="sr-only">
          <tr>
            <th scope="col">Object</th>
            <th scope="col">Shows</th>
          </tr>
        </thead>
        <tbody>
          {objects.map(({ object, says, state }) => (
            <tr
              key={object}
              className="max-sm:grid max-sm:border-line max-sm:px-3 max-sm:py-1.5 max-sm:not-first:border-t"
            >
              <td className="[overflow-wrap:anywhere]">
                <code>{object}</code>
              </td>
              <td>{state === 'idle' ? says : <Says state={state}>{says}</Says>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}

function Says({ state, children }: { state: State; children: string }) {
  return (
    <StateMark state={state}>
      <span className="font-normal [overflow-wrap:anywhere]">{children}</span>
    </StateMark>
  );
}

/** Shows the newest line. One line is as high as many, so that following the log moves nothing. */
function LogBox({ last, children }: { last: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a line that came is what it goes down for
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [last]);
  return (
    <div ref={box} className="h-36 resize-y overflow-y-auto rounded-md border border-line bg-sheet px-3 py-2">
      {children}
    </div>
  );
}

/** The log of a pod. Pods may write anything: it is shown as text, line by line, in a box that scrolls. */
function Pod({ pod: { pod, namespace, node, says, container, lines, because } }: { pod: Inside['pods'][number] }) {
  return (
    <Part
      title={
        <>
          Held up by <code>{pod}</code>
          {node === null ? '' : ` on ${node}`}: {says}
        </>
      }
    >
      {lines.length > 0 && (
        <LogBox last={lines.at(-1) ?? ''}>
          <CodeBlock label={`Last lines of ${namespace}/${pod}, container ${container}`}>{lines.join('\n')}</CodeBlock>
        </LogBox>
      )}
      {because !== null && <p className="text-ink-3">{because}</p>}
    </Part>
  );
}
