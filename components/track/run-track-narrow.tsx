import { carLabel } from './car-label.ts';
import { NarrowSignal } from './narrow-signal.tsx';
import type { TrackSignal } from './run-track-layout.ts';
import { TrainChip } from './train-chip.tsx';

const width = 328;
const rowHeight = 44;
const railX = 44;

/** The track from top to bottom, for narrow screens: the operations around the train, with how many are before and after. */
export function RunTrackNarrow({
  signals,
  train,
  label,
}: {
  signals: readonly TrackSignal[];
  train: string | null;
  label: string;
}) {
  const { before, shown, after } = aroundTheTrain(signals);
  // The same height all along a run: what is below stands still while the train moves.
  const edge = signals.length > shown.length ? 28 : 8;
  const top = edge;
  const height = top + shown.length * rowHeight + edge;
  const at = shown.findIndex(({ state }) => state === 'train' || state === 'stopped');
  const sleepers = Array.from(
    { length: Math.floor((height - 4) / 14) },
    (_, index) => `M${railX - 8} ${4 + index * 14}h16`,
  );
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width="100%" role="img" aria-label={label} className="block select-none">
      <path d={sleepers.join('')} strokeWidth="3" className="stroke-sleeper" />
      <path d={`M${railX - 4} 0V${height}M${railX + 4} 0V${height}`} strokeWidth="1.6" className="stroke-rail" />
      {before > 0 && <Aside y={18} text={`${before} behind`} />}
      {shown.map((signal, index) => (
        <NarrowSignal
          key={signal.seq}
          signal={signal}
          railX={railX}
          right={width - 4}
          y={top + (index + 0.5) * rowHeight}
        />
      ))}
      {after > 0 && <Aside y={height - 10} text={`${after} ahead`} />}
      {train !== null && at >= 0 && (
        <TrainChip
          name={carLabel(train, 9)}
          x={railX}
          y={top + at * rowHeight + (at === 0 ? 4 : 0)}
          state={shown[at]?.state === 'stopped' ? 'stopped' : 'moving'}
        />
      )}
    </svg>
  );
}

function Aside({ y, text }: { y: number; text: string }) {
  return (
    <text x={railX + 52} y={y} fontSize="11.5" className="fill-ink-3">
      {text}
    </text>
  );
}

/** Operations that a narrow screen shows at once. */
const most = 7;

/** The operations around the train, and how many there are before and after them. A short run is shown whole. */
function aroundTheTrain(signals: readonly TrackSignal[]): {
  before: number;
  shown: readonly TrackSignal[];
  after: number;
} {
  if (signals.length <= most + 1) return { before: 0, shown: signals, after: 0 };
  const at = signals.findIndex(({ state }) => state === 'train' || state === 'stopped' || state === 'ahead');
  const middle = at < 0 ? signals.length : at;
  const first = Math.max(0, Math.min(middle - 2, signals.length - most));
  return { before: first, shown: signals.slice(first, first + most), after: signals.length - first - most };
}
