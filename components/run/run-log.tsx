'use client';

import { type ReactNode, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { type State, StateIcon } from '#components/ui/state-mark.tsx';
import { ClockTime } from '#components/ui/time/clock-time.tsx';
import type { LogLine } from '#lib/console/wire.ts';

const marks: Record<LogLine['state'], { state: State; word: string }> = {
  ok: { state: 'ok', word: 'fine' },
  now: { state: 'now', word: 'begun' },
  warn: { state: 'warn', word: 'warning' },
  bad: { state: 'bad', word: 'problem' },
  unknown: { state: 'unknown', word: 'unknown' },
  plain: { state: 'idle', word: '' },
};

const shownAtFirst = 16;

/** The log, newest first. */
export function RunLog({
  log,
  aside,
}: {
  log: readonly LogLine[];
  /** The connection's badge, with which the reader holds the page. */
  aside: ReactNode;
}) {
  const [isWhole, setWhole] = useState(false);
  const newest = log.toReversed();
  const shown = isWhole ? newest : newest.slice(0, shownAtFirst);
  return (
    <Panel
      title="What happened"
      aside={aside}
      className="min-[1600px]:absolute min-[1600px]:inset-x-0 min-[1600px]:flex min-[1600px]:max-h-full min-[1600px]:flex-col"
    >
      {shown.length === 0 && <p className="px-4 py-3 text-sm text-ink-3">Nothing yet.</p>}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by Tab and scrolled by arrows (axe: scrollable-region-focusable) */}
      <div role="group" aria-label="Lines of the log" tabIndex={0} className="min-h-0 overflow-y-auto rounded-b-md">
        <ol className="divide-y divide-line" aria-label="What happened, newest first">
          {shown.map(({ at, state, text }, place) => (
            <li
              // Keyed by its place: a new line is written into the first row, so that no row moves down the page.
              // biome-ignore lint/suspicious/noArrayIndexKey: nothing of a row is kept but what it says
              key={place}
              className="grid grid-cols-[4.25rem_1rem_minmax(0,1fr)] gap-x-1.5 px-4 py-1.5 text-sm"
            >
              <span className="text-ink-3">
                <ClockTime at={at} />
              </span>
              <span className="pt-0.5">
                <StateIcon state={marks[state].state} />
                <span className="sr-only">{marks[state].word}</span>
              </span>
              <span className="min-w-0">{text}</span>
            </li>
          ))}
        </ol>
        {newest.length > shown.length && (
          <div className="border-t border-line px-2 py-1">
            <Button kind="quiet" onClick={() => setWhole(true)}>
              Show {newest.length - shown.length} earlier
            </Button>
          </div>
        )}
      </div>
    </Panel>
  );
}
