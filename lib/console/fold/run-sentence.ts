import type { RunView } from '../wire.ts';
import type { Sentence } from './sentence.ts';

export function runSentence(view: RunView, _nowMs: number): Sentence {
  return { lead: view.now?.title ?? view.state.kind, rest: view.now?.awaiting ?? '' };
}
