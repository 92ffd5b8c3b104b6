import { inLines } from './in-lines.ts';
import type { TrackSignal } from './run-track-layout.ts';
import { Lamp } from './signal.tsx';
import { took } from './took.ts';

/** A signal beside a track that runs down: `railX` is the middle of the track, `right` where a duration ends; px. */
export function NarrowSignal({
  signal: { title, state, seconds },
  railX,
  right,
  y,
}: {
  signal: TrackSignal;
  railX: number;
  right: number;
  y: number;
}) {
  const lines = inLines(title, seconds === null ? 34 : 26, 2);
  const isHere = state === 'train' || state === 'stopped';
  return (
    <g>
      <path d={`M${railX} ${y}h24`} strokeWidth="1.6" className="stroke-rail" />
      <g transform={`translate(${railX + 32} ${y})`}>
        <Lamp state={state} />
      </g>
      {lines.map((line, index) => (
        <text
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place.
          key={index}
          x={railX + 52}
          y={y + 4 + (index - (lines.length - 1) / 2) * 15}
          fontSize="12.5"
          fontWeight={isHere ? 600 : 500}
          className={state === 'ahead' ? 'fill-ink-3' : 'fill-ink'}
        >
          {line}
        </text>
      ))}
      {seconds !== null && (
        <text x={right} y={y + 4} fontSize="11" textAnchor="end" className="fill-ink-3">
          {took(seconds)}
        </text>
      )}
    </g>
  );
}
