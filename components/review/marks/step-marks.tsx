import type { ReactNode } from 'react';
import { type PlannedOperation, type StepMarks, stepMarks } from '#lib/plan/index.ts';
import { crossingTracks, MarkIcon } from './mark-icon.tsx';

const box = <rect x="1.5" y="1.5" width="11" height="11" rx="2" />;

const trafficShapes: Readonly<Record<StepMarks['traffic']['mark'], ReactNode>> = {
  none: <path d="M2 7h.5M7 7h.5M11.5 7h.5" strokeLinecap="round" />,
  'may-pause': crossingTracks,
  restarts: crossingTracks,
};

/** An eye, and a box with the sign that a diff has. */
const writeShapes: Readonly<Record<StepMarks['writes']['mark'], ReactNode>> = {
  reads: (
    <>
      <path d="M1 7c3-5 9-5 12 0-3 5-9 5-12 0z" />
      <circle cx="7" cy="7" r="1.6" />
    </>
  ),
  creates: (
    <>
      {box}
      <path d="M7 4.5v5M4.5 7h5" />
    </>
  ),
  changes: (
    <>
      {box}
      <path d="M4 7.6c1.2-1.8 2.3-1.8 3 -.6s1.8 1.2 3-.6" />
    </>
  ),
  deletes: (
    <>
      {box}
      <path d="M4.5 7h5" />
    </>
  ),
};

type Marked = { operation: Pick<PlannedOperation, 'id' | 'effect' | 'act' | 'diff' | 'nudge'> };

/** What traffic feels of a step: icon and words, in ink, as colour is for states. */
export function TrafficMark({ operation }: Marked) {
  const { mark, words } = stepMarks(operation).traffic;
  return (
    <Mark shape={trafficShapes[mark]} look={mark === 'none' ? 'text-ink-3' : 'font-semibold text-ink'}>
      {/* Under a heading of that name, the word alone. */}
      {words.startsWith(prefix) ? (
        <>
          <span className="xl:sr-only">{prefix}</span>
          {words.slice(prefix.length)}
        </>
      ) : (
        words
      )}
    </Mark>
  );
}

const prefix = 'traffic: ';

/** What a step writes. */
export function WritesMark({ operation }: Marked) {
  const { mark, words } = stepMarks(operation).writes;
  return (
    <Mark shape={writeShapes[mark]} look={mark === 'reads' ? 'text-ink-3' : 'text-ink-2'}>
      {words}
    </Mark>
  );
}

function Mark({ shape, look, children }: { shape: ReactNode; look: string; children: ReactNode }) {
  return (
    <span className={`inline-flex min-w-0 items-center gap-1.5 ${look}`}>
      <MarkIcon>{shape}</MarkIcon>
      {children}
    </span>
  );
}
