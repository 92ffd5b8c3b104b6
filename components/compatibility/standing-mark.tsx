import { type State, StateMark } from '#components/ui/state-mark.tsx';
import type { Standing } from '#lib/console/wizard/index.ts';

const standingWords: Readonly<Record<Standing, { state: State; word: string }>> = {
  blocking: { state: 'bad', word: 'Blocking' },
  unknown: { state: 'unknown', word: 'Unknown' },
  decide: { state: 'warn', word: 'Decide' },
  waiting: { state: 'idle', word: 'Waits' },
  note: { state: 'idle', word: 'Note' },
  answered: { state: 'ok', word: 'Decided' },
  pass: { state: 'ok', word: 'Pass' },
  skipped: { state: 'idle', word: 'Skipped' },
};

export function StandingMark({ standing }: { standing: Standing }) {
  const { state, word } = standingWords[standing];
  return <StateMark state={state}>{word}</StateMark>;
}
