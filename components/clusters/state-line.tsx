import type { ReactNode } from 'react';
import { type State, StateMark } from '#components/ui/state-mark.tsx';

/** A state in two words, and the sentence beside it. */
export function StateLine({ state, words, children }: { state: State; words: string; children: ReactNode }) {
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1">
      <StateMark state={state}>{words}</StateMark>
      <span className="min-w-0 break-words text-ink-2">{children}</span>
    </p>
  );
}
