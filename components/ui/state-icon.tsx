'use client';

import type { ReactNode } from 'react';
import { type State, stateText } from './state.ts';

/*
 * A client component although it needs no script: on a large page, elements inside an <svg> of a server component may be streamed later, in a helper element with a
 * style attribute, which the Content-Security-Policy refuses.
 */

const stroke = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.5 } as const;

const shapes: Record<State, ReactNode> = {
  ok: (
    <g {...stroke}>
      <circle cx="7" cy="7" r="6" />
      <path d="M4.3 7.2l1.9 1.9 3.6-4" />
    </g>
  ),
  now: (
    <>
      <circle cx="7" cy="7" r="6" {...stroke} />
      <circle cx="7" cy="7" r="3" fill="currentColor" />
    </>
  ),
  warn: (
    <g {...stroke}>
      <path d="M7 1.4l5.9 10.6H1.1z" strokeLinejoin="round" />
      <path d="M7 5.4v3M7 10.2v.4" />
    </g>
  ),
  bad: (
    <g {...stroke}>
      <path d="M4.4 1h5.2L13 4.4v5.2L9.6 13H4.4L1 9.6V4.4z" />
      <path d="M5 5l4 4M9 5l-4 4" />
    </g>
  ),
  unknown: (
    <g {...stroke}>
      <circle cx="7" cy="7" r="6" strokeDasharray="2.4 2" />
      <path d="M5.4 5.6c.2-2 3.3-1.8 3.2 0 0 1.2-1.6 1.2-1.6 2.4M7 9.8v.5" strokeWidth="1.4" />
    </g>
  ),
  idle: <circle cx="7" cy="7" r="5.5" {...stroke} />,
};

/** The icon only; the text beside it must say the state in words. */
export function StateIcon({ state }: { state: State }) {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" className={`shrink-0 ${stateText[state]}`}>
      {shapes[state]}
    </svg>
  );
}
