import type { State } from '#components/ui/state-mark.tsx';
import type { FindingInState, FindingState } from '#lib/console/wizard/index.ts';

export type FindingWords = { state: State; word: string };

const words: Readonly<Record<Exclude<FindingState, 'answered'>, FindingWords>> = {
  blocking: { state: 'bad', word: 'Blocking' },
  unknown: { state: 'unknown', word: 'Not verified' },
  decide: { state: 'warn', word: 'Decide' },
  waiting: { state: 'idle', word: 'Does not apply yet' },
  note: { state: 'idle', word: 'Note' },
  pass: { state: 'ok', word: 'Pass' },
  skipped: { state: 'idle', word: 'Does not apply' },
};

/** Where a finding stands. A reason verifies nothing: what was unknown stays so, and an accepted risk is no green tick. */
export function findingWords({
  finding: { fixedBy, status, outage, notMeasured },
  state,
}: FindingInState): FindingWords {
  if (outage) return { state: 'bad', word: 'Outage' };
  if (state === 'unknown' && notMeasured !== null) return { state: 'unknown', word: 'Not tested' };
  if (state !== 'answered') return words[state];
  if (fixedBy !== null) return { state: 'ok', word: 'In the plan' };
  return status === 'unknown'
    ? { state: 'unknown', word: 'Accepted, not verified' }
    : { state: 'idle', word: 'Accepted' };
}
