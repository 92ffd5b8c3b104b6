import type { ReactNode } from 'react';
import { RunTrack } from '#components/track/run-track.tsx';
import { signalOf } from '#components/track/signal-of.ts';
import { Panel } from '#components/ui/panel.tsx';
import type { State } from '#components/ui/state-mark.tsx';
import type { RunView } from '#lib/console/wire.ts';
import { hasEnded, isUnverified } from '#lib/run/model/has-ended.ts';
import { secondsOf } from './line-words.ts';

/** The run as a line of track; below it what it has come to. */
export function TrackPanel({
  view,
  state,
  nowMs,
  isMoving,
  children,
}: {
  view: RunView;
  state: State;
  nowMs: number;
  /** Somebody carries it now. */
  isMoving: boolean;
  children: ReactNode;
}) {
  // Red is for what went wrong: a pause that was asked for, and a run that waits for somebody, stand at amber.
  const lamp = state === 'bad' || state === 'unknown' ? 'standing' : 'moving';
  const signals = view.operations.map((line) => ({
    seq: line.seq,
    title: line.title,
    state: line.state === 'finished' && isUnverified(line.outcome) ? ('unknown' as const) : signalOf(line.state, lamp),
    seconds:
      secondsOf(line) ??
      (isMoving && line.begunAt !== null && (line.state === 'begun' || line.state === 'undoing')
        ? Math.max(0, (nowMs - Date.parse(line.begunAt)) / 1000)
        : null),
  }));
  return (
    <Panel>
      <div className="px-4 pt-3">
        <RunTrack signals={signals} train={hasEnded(view.state) ? null : 'run'} />
      </div>
      {children}
    </Panel>
  );
}
