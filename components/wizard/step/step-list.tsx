import Link from 'next/link';
import type { ReactNode } from 'react';
import { type StepId, type StepState, stepPath } from '#lib/console/wizard/index.ts';
import { StepEntry } from './step-entry.tsx';

/** The steps with their answers as an ordered list of links, not tabs (reference › ui.md D4). */
export function StepList({
  states,
  current,
  cluster,
  draft,
}: {
  states: readonly StepState[];
  current: StepId;
  cluster: string;
  draft: string;
}) {
  const firstClosed = states.find(({ closed }) => closed !== null)?.id;
  return (
    <nav aria-label="Steps" className="relative -mx-1 overflow-x-auto px-1 pb-1 lg:overflow-visible lg:pb-0">
      <ol className="flex gap-1 lg:flex-col lg:gap-0.5">
        {states.map((state) => (
          <li key={state.id} className="shrink-0 lg:shrink">
            <Place
              current={state.id === current}
              href={state.closed === null && state.id !== 'run' ? stepPath(cluster, draft, state.id) : null}
              why={state.closed}
            >
              <StepEntry
                state={state}
                isCurrent={state.id === current}
                after={state.id === firstClosed ? nameBefore(states, state) : null}
              />
            </Place>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Place({
  current,
  href,
  why,
  children,
}: {
  current: boolean;
  href: string | null;
  why: string | null;
  children: ReactNode;
}) {
  const look = `grid grid-cols-[14px_minmax(0,1fr)] gap-x-3 rounded-md border px-2 py-1.5 no-underline ${
    current ? 'border-line bg-sheet text-ink' : 'border-transparent text-ink-2'
  }`;
  if (href === null)
    return (
      <span className={look} title={why ?? undefined} aria-current={current ? 'step' : undefined}>
        {children}
        {why !== null && <span className="sr-only">Not open yet. {why}</span>}
      </span>
    );
  return (
    <Link href={href} prefetch={false} className={`${look} hover:bg-sunk`} aria-current={current ? 'step' : undefined}>
      {children}
    </Link>
  );
}

function nameBefore(states: readonly StepState[], closed: StepState): string {
  return states[states.indexOf(closed) - 1]?.name ?? '';
}
