import type { ReactNode } from 'react';
import { CompactTrack } from '#components/track/compact-track.tsx';
import type { CompactStep } from '#components/track/compact-track-layout.ts';
import { signalOf } from '#components/track/signal-of.ts';
import { Panel } from '#components/ui/panel.tsx';
import type { State } from '#components/ui/state-mark.tsx';
import type { RunView } from '#lib/console/wire.ts';
import { hasEnded, isUnverified } from '#lib/run/model/has-ended.ts';
import { secondsOf } from './line-words.ts';
import { countedNodes } from './nodes/node-words.ts';

/** The run as a line of track with its outcome below. */
export function TrackPanel({
  view,
  traffic,
  state,
  nowMs,
  isMoving,
  children,
}: {
  view: RunView;
  /** Numbers of the steps that touch traffic. */
  traffic: readonly number[];
  state: State;
  nowMs: number;
  /** A process carries the run now. */
  isMoving: boolean;
  children: ReactNode;
}) {
  // Red is only for failures; requested pauses and runs that wait are amber.
  const lamp = state === 'bad' || state === 'unknown' ? 'standing' : 'moving';
  const steps = view.operations.map((line): CompactStep => {
    const isNow = line.begunAt !== null && (line.state === 'begun' || line.state === 'undoing');
    const soFar = isMoving && isNow ? Math.max(0, (nowMs - Date.parse(line.begunAt ?? '')) / 1000) : null;
    return {
      seq: line.seq,
      id: line.id,
      title: line.title,
      traffic: traffic.includes(line.seq),
      state: line.state === 'finished' && isUnverified(line.outcome) ? 'unknown' : signalOf(line.state, lamp),
      seconds: secondsOf(line) ?? soFar,
    };
  });
  const here = steps.find((step) => step.state === 'train' || step.state === 'stopped');
  const nodes = countedNodes(view);
  const count = nodes === null ? '' : ` · ${nodes.arrived}/${nodes.counted}`;
  return (
    <Panel>
      <div className="px-4 pt-3 pb-2">
        <CompactTrack steps={steps} train={hasEnded(view.state) || !here ? null : `${here.seq}${count}`} />
      </div>
      {children}
    </Panel>
  );
}
