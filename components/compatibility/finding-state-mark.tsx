import { type State, StateMark } from '#components/ui/state-mark.tsx';
import type { FindingState } from '#lib/console/wizard/index.ts';

const stateWords: Readonly<Record<FindingState, { state: State; word: string }>> = {
  blocking: { state: 'bad', word: 'Blocking' },
  unknown: { state: 'unknown', word: 'Unknown' },
  decide: { state: 'warn', word: 'Decide' },
  waiting: { state: 'idle', word: 'Waits' },
  note: { state: 'idle', word: 'Note' },
  answered: { state: 'ok', word: 'Decided' },
  pass: { state: 'ok', word: 'Pass' },
  skipped: { state: 'idle', word: 'Skipped' },
};

export function FindingStateMark({ state: findingState }: { state: FindingState }) {
  const { state, word } = stateWords[findingState];
  return <StateMark state={state}>{word}</StateMark>;
}
