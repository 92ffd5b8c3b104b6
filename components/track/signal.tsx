import type { ReactNode } from 'react';
import type { SignalState } from './signal-words.ts';

const lamps: Record<SignalState, string> = {
  behind: 'fill-green stroke-rail',
  train: 'fill-amber-lamp stroke-rail',
  ahead: 'fill-sheet stroke-rail',
  stopped: 'fill-red stroke-rail',
  undone: 'fill-ink-3 stroke-rail',
  unknown: 'fill-violet-tint stroke-violet [stroke-dasharray:2.6_2.2]',
};

/** Signs that distinguish the states without colour. */
const signs: Record<SignalState, ReactNode> = {
  behind: <path d="M-3.4 .2l2.4 2.4L3.4 -2.6" className="stroke-sheet" />,
  train: null,
  ahead: null,
  stopped: <path d="M-2.7 -2.7l5.4 5.4M2.7 -2.7l-5.4 5.4" className="stroke-sheet" />,
  undone: <path d="M3.6 2.6c.4-3-1.2-4-3.2-4H-2.8M-.6 -3.6l-2.4 2.2 2.4 2.2" className="stroke-sheet" />,
  unknown: <path d="M-1.7 -1.6c.2-2.2 3.5-2 3.4 0 0 1.3-1.7 1.3-1.7 2.6M0 3v.5" className="stroke-violet" />,
};

/** A lamp around (0, 0), radius 8. */
export function SignalLamp({ state }: { state: SignalState }) {
  return (
    <>
      {state === 'train' && <circle r="13" fill="none" strokeWidth="1.5" opacity=".5" className="stroke-amber-lamp" />}
      <circle r="8" strokeWidth="1.6" className={`${lamps[state]} transition-[fill] duration-200`} />
      <g fill="none" strokeWidth="1.7" strokeLinecap="round" strokeLinejoin="round">
        {signs[state]}
      </g>
    </>
  );
}
