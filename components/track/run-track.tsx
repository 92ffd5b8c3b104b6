'use client';

import { RunTrackDrawing } from './run-track-drawing.tsx';
import { runTrackFrames, type TrackSignal } from './run-track-layout.ts';
import { RunTrackNarrow } from './run-track-narrow.tsx';
import { runTrackSentence } from './run-track-sentence.ts';

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
