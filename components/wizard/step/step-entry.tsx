'use client';

import { StateIcon } from '#components/ui/state-mark.tsx';
import type { StepState } from '#lib/console/wizard/index.ts';
import { useTypedTrouble } from './typed-trouble.tsx';

/** A step in the list with its mark and its answer. Errors in the open step's typed values show at once, before they are saved. */
export function StepEntry({ state, isCurrent, after }: { state: StepState; isCurrent: boolean; after: string | null }) {
  const trouble = useTypedTrouble();
  const { mark, says } = isCurrent && trouble !== null ? { mark: 'bad' as const, says: trouble } : state;
  return (
    <>
      <span className="mt-[3px]">
        <StateIcon state={mark} />
      </span>
      <span className="min-w-0">
        <span className={`block whitespace-nowrap ${isCurrent ? 'font-[620] text-ink' : ''}`}>
          {state.name}
          <span className="sr-only">, {markWords[mark]}</span>
        </span>
        {says !== '' && <span className="hidden text-xs text-ink-3 [overflow-wrap:anywhere] lg:block">{says}</span>}
        {after !== null && <span className="hidden text-xs text-ink-3 lg:block">after {after}</span>}
      </span>
    </>
  );
}

const markWords: Readonly<Record<StepState['mark'], string>> = {
  ok: 'answered',
  warn: 'needs a decision',
  bad: 'something is in the way',
  unknown: 'not known now',
  idle: 'not answered yet',
};
