import { counted, thousands } from '#lib/base/words.ts';
import type { TrackSignal } from './run-track-layout.ts';
import { signalWords } from './signal-words.ts';

/** The picture in one sentence: `Operation 5 of 7, Every node proven: under way. 4 done, 2 ahead.` */
export function runTrackSentence(signals: readonly TrackSignal[]): string {
  const at = signals.findIndex(({ state }) => state === 'train' || state === 'stopped');
  const here = signals[at];
  const rest = (['behind', 'undone', 'unknown', 'ahead'] as const)
    .map((state) => ({ state, count: signals.filter((signal) => signal.state === state).length }))
    .filter(({ count }) => count > 0);
  const told = rest.map(({ state, count }) => `${thousands(count)} ${signalWords[state]}`).join(', ');
  const lead = here
    ? `Operation ${at + 1} of ${signals.length}, ${here.title}: ${signalWords[here.state]}.`
    : `${counted(signals.length, 'operation')}.`;
  return told === '' ? lead : `${lead} ${told[0]?.toUpperCase()}${told.slice(1)}.`;
}
