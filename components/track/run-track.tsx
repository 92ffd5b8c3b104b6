'use client';

import { counted, thousands } from '#lib/base/words.ts';
import { RunTrackDrawing } from './run-track-drawing.tsx';
import { runTrackFrames, type TrackSignal } from './run-track-layout.ts';
import { RunTrackNarrow } from './run-track-narrow.tsx';
import { signalWords } from './signal-words.ts';

/**
 * A run as a line of track, one signal an operation: for a plan (all ahead), a run under way and one of the past. Whoever shows it shows the same
 * operations as an ordered list beside or below it. `train` is the run's short name; null without a train. Plain data in, no state of its own.
 */
export function RunTrack({ signals, train }: { signals: readonly TrackSignal[]; train: string | null }) {
  const label = runTrackSentence(signals);
  if (signals.length === 0) return null;
  return (
    <div className="@container">
      <div className="mx-auto max-w-[440px] @min-[640px]:hidden">
        <RunTrackNarrow signals={signals} train={train} label={label} />
      </div>
      <div className="hidden @min-[640px]:block @min-[820px]:hidden">
        <RunTrackDrawing signals={signals} train={train} frame={runTrackFrames.middle} label={label} />
      </div>
      <div className="hidden @min-[820px]:block @min-[960px]:hidden">
        <RunTrackDrawing signals={signals} train={train} frame={runTrackFrames.broad} label={label} />
      </div>
      <div className="hidden @min-[960px]:block">
        <RunTrackDrawing signals={signals} train={train} frame={runTrackFrames.wide} label={label} />
      </div>
    </div>
  );
}

/** The picture in one sentence: `Operation 5 of 7, Every node proven: under way. 4 done, 2 ahead.` */
function runTrackSentence(signals: readonly TrackSignal[]): string {
  const at = signals.findIndex(({ state }) => state === 'train' || state === 'stopped');
  const here = signals[at];
  const rest = (['behind', 'undone', 'unknown', 'ahead'] as const)
    .map((state) => ({ state, count: signals.filter((signal) => signal.state === state).length }))
    .filter(({ count }) => count > 0);
  const told = rest.map(({ state, count }) => `${thousands(count)} ${signalWords[state]}`).join(', ');
  const lead = here
    ? `Operation ${at + 1} of ${signals.length}, ${here.title}: ${signalWords[here.state]}.`
    : `${counted(signals.length, 'operation')}.`;
  return told === '' ? lead : `${lead} ${told[0]?.toUpperCase()}${told.slice(1)}.`;
}
