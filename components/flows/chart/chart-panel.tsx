'use client';

import { useState } from 'react';
import { Segments } from '#components/ui/segments.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { counted, duration, thousands } from '#lib/base/words.ts';
import { atWindow, bytesText, type Query, queryText, type Window, windowOf } from '#lib/flows/in-browser.ts';
import type { HistorySeries, HistoryState } from '#lib/flows/index.ts';
import { timeText } from '../time-text.ts';
import { useAnswer } from '../use-answer.ts';
import { type Measure, type StepSums, sumsOf } from './bars.ts';
import { chartLengths, chosenOf, rangeOf, windowOfSteps } from './brush.ts';
import { FlowChart } from './flow-chart.tsx';

type Series = HistorySeries & HistoryState;

/** Calico reports flows in buckets of this length. */
const everyMs = 15_000;
/** What came first is in the history some seconds later. */
const behindEveryMs = 2_500;
const behindSeconds = 45;

/**
 * What was allowed and denied over time, from the history; a window of it is the time that the page asks for. Verdicts are not filtered here: the chart shows
 * one against the other.
 */
export function ChartPanel({
  url,
  query,
  now,
  onWindow,
}: {
  /** Of the cluster's flows. */
  url: string;
  query: Query;
  /** Seconds: the end of the newest flow. */
  now: number;
  /** Null: no window, flows as they arrive. */
  onWindow: (window: Window | null) => void;
}) {
  const [span, setSpan] = useState<number>(chartLengths[0].seconds);
  const [measure, setMeasure] = useState<Measure>('flows');
  const window = windowOf(query, now);
  const range = rangeOf(span, window, now);
  const others = query.terms.filter(({ key }) => key !== 'verdict' && key !== 'staged');
  // Without a window the path stays the same.
  const follows = range.until === now;
  const seriesQuery = queryText(
    follows
      ? { terms: others, since: { ago: Math.ceil(range.until - range.since) }, until: null }
      : atWindow({ ...query, terms: others }, range),
  );
  const [isBehind, setBehind] = useState(false);
  const pace = !follows ? null : isBehind ? behindEveryMs : everyMs;
  const { read, failed } = useAnswer(`${url}/series?q=${encodeURIComponent(seriesQuery)}`, pace, isSeries);
  const lags = read?.isRecording === true && failed === null && read.until < now - behindSeconds;
  if (lags !== isBehind) setBehind(lags);
  const steps = read && { ...read, count: read.steps.length };
  const chosen = steps && chosenOf(window, steps);
  const sums = read && sumsOf(chosen ? read.steps.slice(chosen.first, chosen.last) : read.steps);
  return (
    <section aria-label="Flows over time" className="min-w-0 rounded-md border border-line bg-sheet">
      <header className="flex min-h-[41px] flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-4 py-1.5">
        <h2 className="text-sm font-semibold tabular-nums">
          {read ? timesOf(window ?? { since: read.since, until: Math.min(read.until, now) }) : 'Flows over time'}
        </h2>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Legend measure={measure} />
          <Segments
            label="Counted"
            choices={[
              { value: 'flows', words: 'Flows' },
              { value: 'bytes', words: 'Bytes' },
            ]}
            chosen={measure}
            onChoose={setMeasure}
          />
          <Segments
            label="Time in the chart"
            choices={chartLengths.map(({ seconds, words }) => ({ value: seconds, words }))}
            chosen={span}
            onChoose={setSpan}
          />
        </div>
      </header>
      {/* The same height while the history is read, and without one, so that the page below does not move. */}
      <div className="min-h-[154px] px-4 pt-2 pb-2">
        {read === null ? (
          <p className="py-2 text-ink-2">{failed ?? 'Reading the history…'}</p>
        ) : (
          <>
            <FlowChart
              series={read}
              measure={measure}
              chosen={chosen}
              onChoose={(next) => onWindow(next && windowOfSteps(next, { ...read, count: read.steps.length }))}
            />
            <p className="mt-1 min-h-[18px] text-sm text-ink-2">
              {sums && sumWords(sums, read.stepSeconds)}
              {(failed ?? read.note) !== null && (
                <StateMark state="warn">
                  <span className="text-ink-2">{failed ?? read.note}</span>
                </StateMark>
              )}
            </p>
          </>
        )}
      </div>
    </section>
  );
}

function Legend({ measure }: { measure: Measure }) {
  if (measure === 'bytes') return null;
  return (
    <p className="flex flex-wrap gap-x-3 text-sm text-ink-3">
      <span className="inline-flex items-center gap-1.5">
        <span aria-hidden="true" className="size-2.5 bg-ink-3/60" />
        allowed, above
      </span>
      <span className="inline-flex items-center gap-1.5">
        <span aria-hidden="true" className="size-2.5 bg-red" />
        denied, below
      </span>
    </p>
  );
}

/** `4,870 flows allowed, 1,248 denied, 12 MB; 3 m not recorded.` */
function sumWords({ allowed, denied, bytes, gaps }: StepSums, stepSeconds: number): string {
  const missing = gaps === 0 ? '' : `; ${duration(gaps * stepSeconds)} not recorded`;
  return `${counted(allowed, 'flow')} allowed, ${thousands(denied)} denied, ${bytesText(bytes)}${missing}. `;
}

function timesOf({ since, until }: Window): string {
  const today = new Date();
  return `${timeText(since, 'second', today)} to ${timeText(until, 'second', today)}`;
}

function isSeries(value: unknown): value is Series {
  return typeof value === 'object' && value !== null && 'steps' in value && Array.isArray(value.steps);
}
