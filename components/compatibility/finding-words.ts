import type { State } from '#components/ui/state-mark.tsx';
import type { FindingInState, FindingState } from '#lib/console/wizard/index.ts';

export type FindingWords = { state: State; word: string };

const words: Readonly<Record<Exclude<FindingState, 'answered'>, FindingWords>> = {
  blocking: { state: 'bad', word: 'Blocking' },
  unknown: { state: 'unknown', word: 'Unknown' },
  decide: { state: 'warn', word: 'Decide' },
  waiting: { state: 'idle', word: 'Waits' },
  note: { state: 'idle', word: 'Note' },
  pass: { state: 'ok', word: 'Pass' },
  skipped: { state: 'idle', word: 'Skipped' },
};

/** Where a finding stands. A reason verifies nothing: what was unknown stays so, and an accepted risk is no green tick. */
export function findingWords({ finding: { fixedBy, status }, state }: FindingInState): FindingWords {
  if (state !== 'answered') return words[state];
  if (fixedBy !== null) return { state: 'ok', word: 'In the plan' };
  return status === 'unknown'
    ? { state: 'unknown', word: 'Accepted, not verified' }
    : { state: 'idle', word: 'Accepted' };
}
