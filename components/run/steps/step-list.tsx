'use client';

import { type KeyboardEvent, useEffect, useState } from 'react';
import { stepAddress, stepInQuery } from '#components/frame/opened-in-address.ts';
import { groupsOf, type TrackGroup } from '#components/track/compact-track-layout.ts';
import { Chevron } from '#components/ui/chevron.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { stepByLetter } from '#components/ui/rows/step-by-letter.ts';
import { StateMark } from '#components/ui/state-mark.tsx';
import { counted, duration } from '#lib/base/words.ts';
import type { RunLine, RunView } from '#lib/console/wire.ts';
import { lineWords, type RunPace, secondsOf } from '../line-words.ts';
import { groupProgressWords, progressWords, timeLeft } from './progress-words.ts';
import { StepRow } from './step-row.tsx';
import type { FirstReading } from './use-step-inside.ts';

/** `inside`: what the server read of the step when it rendered the page; null if the cluster did not answer in time. */
export type OpenedStep = { seq: number; inside: FirstReading | null };

/**
 * Every step once, in the groups of the track, with times and notes. It is also what a screen reader gets of the track. The number of the opened step is in
 * the address, so that a link to it can be sent to a colleague.
 */
export function StepList({
  cluster,
  view,
  traffic,
  pace,
  opened,
  usual,
}: {
  cluster: string;
  view: RunView;
  traffic: readonly number[];
  pace: RunPace;
  /** The step that is open on the first paint. */
  opened: OpenedStep | null;
  /** The usual seconds of each step, by its number, for the time that is left. Null: the time that is left is not shown. */
  usual: Readonly<Record<number, number>> | null;
}) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set(opened === null ? [] : [opened.seq]));
  useEffect(() => {
    const seq = stepInQuery(location.search);
    if (seq !== null) setOpen((before) => (before.has(seq) ? before : new Set([seq])));
  }, []);
  const toggle = (seq: number) => {
    const isOpen = open.has(seq);
    setOpen(isOpen ? new Set([...open].filter((one) => one !== seq)) : new Set([...open, seq]));
    history.replaceState(history.state, '', isOpen ? location.pathname : stepAddress(seq));
  };
  const { operations, run } = view;
  const groups = groupsOf(
    operations.map(({ seq, id, title }) => ({ seq, id, title, traffic: traffic.includes(seq), seconds: null })),
  );
  return (
    <Panel
      title="Steps"
      aside={
        <span className="text-sm">
          {progressWords(operations, view.state)}
          {pace === 'moving' && usual !== null && timeLeft(operations, usual)}
        </span>
      }
    >
      {groups.map(({ name, steps }) => {
        const lines = operations.filter(({ seq }) => steps.some((step) => step.seq === seq));
        return (
          <section
            key={name}
            aria-label={`${name}: ${counted(lines.length, 'step')}`}
            className="border-b border-line last:border-b-0"
          >
            {/* Only the reader folds a group. If finished groups folded by themselves, the page below would move. */}
            <details open className="group/part">
              <GroupHead name={name} lines={lines} pace={pace} />
              <ol className="divide-y divide-line" start={lines[0]?.seq ?? 1} onKeyDown={goBetween}>
                {lines.map((line) => (
                  <StepRow
                    key={line.seq}
                    cluster={cluster}
                    run={run}
                    line={line}
                    touchesTraffic={traffic.includes(line.seq)}
                    pace={pace}
                    isOpen={open.has(line.seq)}
                    first={opened?.seq === line.seq ? opened.inside : null}
                    onToggle={() => toggle(line.seq)}
                  />
                ))}
              </ol>
            </details>
          </section>
        );
      })}
    </Panel>
  );
}

/** While a step has the focus, `j` and `k` move it to the next and the previous step of the open groups. */
function goBetween(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget } = event;
  const step = stepByLetter(event);
  if (step === 0 || !(target instanceof HTMLButtonElement) || !target.matches(stepButton)) return;
  const panel = currentTarget.closest('section')?.parentElement;
  const steps = [...(panel?.querySelectorAll<HTMLElement>(`details[open] ${stepButton}`) ?? [])];
  steps[steps.indexOf(target) + step]?.focus();
}

const stepButton = 'li[id^="step-"] > button';

function GroupHead({ name, lines, pace }: { name: TrackGroup; lines: readonly RunLine[]; pace: RunPace }) {
  const now = lines.find(({ state }) => state === 'begun' || state === 'undoing' || state === 'failed');
  const seconds = lines.reduce((sum, line) => sum + (secondsOf(line) ?? 0), 0);
  const mark = now ? lineWords(now, pace) : null;
  return (
    <summary className="flex min-h-8 list-none items-center justify-between gap-3 bg-paper px-4 text-sm select-none group-open/part:border-b group-open/part:border-line hover:bg-sunk [&::-webkit-details-marker]:hidden">
      <h3>
        <span className="font-semibold">{name}</span>
        <span className="font-normal text-ink-3"> · {counted(lines.length, 'step')}</span>
      </h3>
      <span className="flex items-center gap-2.5 font-normal text-ink-3">
        {mark !== null ? (
          <span className="whitespace-nowrap">
            <StateMark state={mark.state}>{mark.word}</StateMark>
          </span>
        ) : (
          `${groupProgressWords(lines)}${seconds < 1 ? '' : ` · ${duration(seconds)}`}`
        )}
        <Chevron look="group-open/part:rotate-90" />
      </span>
    </summary>
  );
}
