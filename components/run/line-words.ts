import type { State } from '#components/ui/state-mark.tsx';
import type { RunLine } from '#lib/console/wire.ts';
import { isUnverified } from '#lib/run/model/has-ended.ts';

/** `moving`: a process carries the run now. */
export type RunPace = 'moving' | 'standing';

const words: Record<RunLine['state'], { state: State; word: string }> = {
  ahead: { state: 'idle', word: 'ahead' },
  'already-done': { state: 'ok', word: 'already done' },
  begun: { state: 'now', word: 'under way' },
  finished: { state: 'ok', word: 'finished' },
  undoing: { state: 'now', word: 'being undone' },
  undone: { state: 'idle', word: 'undone' },
  failed: { state: 'bad', word: 'stopped here' },
};

/** The words for a step's state. A step whose effect was not verified is over, but must not look fine (product.md › Promises 4). */
export function lineWords(
  {
    state,
    outcome,
  }: {
    state: RunLine['state'];
    /** RunLine.outcome; a report keeps it as text. */
    outcome: string | null;
  },
  pace: RunPace,
): { state: State; word: string } {
  if (pace === 'standing' && (state === 'begun' || state === 'undoing')) return { state: 'warn', word: 'half-done' };
  if (outcome === 'acknowledged') return { state: 'unknown', word: 'accepted, not verified' };
  if (isUnverified(outcome)) return { state: 'unknown', word: 'not verified' };
  return words[state];
}

/** How long the step took, in seconds; null until it has finished. */
export function secondsOf({ begunAt, finishedAt }: Pick<RunLine, 'begunAt' | 'finishedAt'>): number | null {
  return begunAt === null || finishedAt === null ? null : (Date.parse(finishedAt) - Date.parse(begunAt)) / 1000;
}
