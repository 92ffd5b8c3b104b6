'use client';

import type { ReactNode } from 'react';
import type { Effect } from '#lib/plan/index.ts';

const words: Record<Effect, string> = {
  none: 'changes nothing',
  'control-plane': 'control plane',
  traffic: 'touches traffic',
};
const colours: Record<Effect, string> = { none: 'text-ink-3', 'control-plane': 'text-ink-2', traffic: 'text-amber' };

const shapes: Record<Effect, ReactNode> = {
  // An eye, a box, two lanes that cross: what is looked at, what is set, what moves.
  none: (
    <>
      <path d="M1 7c3-5 9-5 12 0-3 5-9 5-12 0z" strokeLinejoin="round" />
      <circle cx="7" cy="7" r="1.6" />
    </>
  ),
  'control-plane': (
    <>
      <rect x="1.5" y="2.5" width="11" height="9" rx="1.5" />
      <path d="M4 5.5h6M4 8.5h3.5" />
    </>
  ),
  traffic: (
    <path d="M1 4h3.5l5 6H13M11 8l2 2-2 2M1 10h3.5l1.2-1.4M8.3 5.4L9.5 4H13M11 2l2 2-2 2" strokeLinejoin="round" />
  ),
};

/** What an operation may be felt by. Icon and word; only what moves traffic has a colour. A client component as ui/state-icon.tsx is. */
export function EffectMark({ effect }: { effect: Effect }) {
  return (
    <span className={`inline-flex shrink-0 items-center gap-1.5 text-sm font-[560] ${colours[effect]}`}>
      <svg
        width="14"
        height="14"
        viewBox="0 0 14 14"
        aria-hidden="true"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
      >
        {shapes[effect]}
      </svg>
      {words[effect]}
    </span>
  );
}
