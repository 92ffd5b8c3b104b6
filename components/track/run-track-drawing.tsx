import { Rails } from './rails.tsx';
import { layRunTrack, type PlacedSignal, type RunTrackFrame, type TrackSignal } from './run-track-layout.ts';
import { Lamp } from './signal.tsx';
import { signalWords } from './signal-words.ts';
import { took } from './took.ts';
import { TrainChip } from './train-chip.tsx';

/** The track in rows, for boxes of 640 px and wider. */
export function RunTrackDrawing({
  signals,
  train,
  frame,
  label,
}: {
  signals: readonly TrackSignal[];
  train: string | null;
  frame: RunTrackFrame;
  label: string;
}) {
  const layout = layRunTrack(signals, frame);
  const isStopped = signals.some(({ state }) => state === 'stopped');
  return (
    <svg
      viewBox={`0 0 ${layout.width} ${layout.height}`}
      width="100%"
      role="img"
      aria-label={label}
      className="block select-none"
    >
      {layout.rows.map((row) => (
        <Rails key={row.y} from={row.from} to={row.to} y={row.y} />
      ))}
      {layout.signals.map((signal) => (
        <Signal key={signal.seq} signal={signal} />
      ))}
      {train !== null && layout.train !== null && (
        <TrainChip name={train} {...layout.train} state={isStopped ? 'stopped' : 'moving'} />
      )}
    </svg>
  );
}

function Signal({ signal: { x, y, title, lines, state, seconds } }: { signal: PlacedSignal }) {
  const isAhead = state === 'ahead';
  const isHere = state === 'train' || state === 'stopped';
  return (
    <g>
      <title>{`${title}: ${signalWords[state]}`}</title>
      <path d={`M${x} ${y}V${y - 28}`} strokeWidth="1.6" className="stroke-rail" />
      <g transform={`translate(${x} ${y - 36})`}>
        <Lamp state={state} />
      </g>
      {lines.map((line, index) => (
        <text
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place.
          key={index}
          x={x}
          y={y + 30 + index * 15}
          fontSize="12"
          fontWeight={isHere ? 600 : 500}
          textAnchor="middle"
          className={isAhead ? 'fill-ink-3' : 'fill-ink'}
        >
          {line}
        </text>
      ))}
      {seconds !== null && (
        <text x={x} y={y + 32 + lines.length * 15} fontSize="11" textAnchor="middle" className="fill-ink-3">
          {took(seconds)}
        </text>
      )}
    </g>
  );
}
