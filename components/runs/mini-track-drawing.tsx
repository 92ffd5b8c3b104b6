'use client';

import type { OperationLine } from '#lib/run/index.ts';

const lamps: Record<OperationLine['state'], string> = {
  ahead: 'fill-sheet stroke-edge',
  'already-done': 'fill-green stroke-green',
  begun: 'fill-amber-lamp stroke-amber-lamp',
  finished: 'fill-green stroke-green',
  undoing: 'fill-amber-lamp stroke-amber-lamp',
  undone: 'fill-sheet stroke-green',
  failed: 'fill-red stroke-red',
};
const pitch = 11;

/** A client component; ui/state-icon.tsx says why. */
export function MiniTrackDrawing({ states }: { states: OperationLine['state'][] }) {
  const width = states.length * pitch + 2;
  return (
    <svg width={width} height="12" viewBox={`0 0 ${width} 12`} aria-hidden="true" className="block">
      <path d={`M1 6H${width - 1}`} className="stroke-line" strokeWidth="2" />
      {states.map((state, index) => (
        <circle
          // biome-ignore lint/suspicious/noArrayIndexKey: a signal's place is what it is.
          key={index}
          cx={index * pitch + pitch / 2 + 1}
          cy="6"
          r="3.4"
          strokeWidth="1.5"
          className={lamps[state]}
        />
      ))}
    </svg>
  );
}
