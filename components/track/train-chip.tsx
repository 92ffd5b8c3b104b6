import { textWidth } from './car-label.ts';

/** The train, centred at (x, y). Moves with an animation, unless reduced motion is preferred. Red if the run was stopped. */
export function TrainChip({ name, x, y, state }: { name: string; x: number; y: number; state: 'moving' | 'stopped' }) {
  const width = Math.max(56, textWidth(name) + 20);
  const look = state === 'moving' ? 'fill-amber-tint stroke-amber' : 'fill-red-tint stroke-red';
  return (
    <g transform={`translate(${x - width / 2} ${y})`} className="transition-transform duration-200">
      <rect y="-11.5" width={width} height="23" rx="5" className={look} />
      <text
        x={width / 2}
        y="4"
        fontSize="11"
        fontWeight="600"
        textAnchor="middle"
        className={state === 'moving' ? 'fill-amber' : 'fill-red'}
      >
        {name}
      </text>
    </g>
  );
}
