import { StateMark } from '#components/ui/state-mark.tsx';
import type { FindingInState } from '#lib/console/wizard/index.ts';
import { findingWords } from './finding-words.ts';

export function FindingStateMark({ found }: { found: FindingInState }) {
  const { state, word } = findingWords(found);
  return <StateMark state={state}>{word}</StateMark>;
}
